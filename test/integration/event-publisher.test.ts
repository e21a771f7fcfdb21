import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { createEventItems } from '#domain/events/outbox.ts';
import {
  itemsOfEvent,
  newEventId,
  type OutboxEvent,
  outboxEvent,
  outboxKeys,
} from '#domain/events/stored.ts';
import type { NewEvent } from '#domain/events/transaction-items.ts';
import { createOutboxStore, type OutboxStore } from '#domain/publishing/outbox-store.ts';
import { type BusEvent, type EventBus, publish } from '#domain/publishing/publish.ts';
import { outboxTable } from '#domain/table-designs.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { itemsOf, tableOf, writesOf } from '#platform/data/table.ts';
import { transact } from '#platform/data/transact.ts';
import { everyItem } from '../support/every-item.ts';
import { eventsOfWrites } from '../support/feed.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTable, dynamo } from '../support/tables.ts';

describe('event publisher', () => {
  let table: string;
  let outbox: OutboxStore;

  beforeEach(async () => {
    table = await createTable(outboxTable);
    outbox = createOutboxStore(tableOf(outboxTable, dynamo, table));
  });

  const now = () => new Date();
  const upstream = '65f0c1d2e3a4b5c6d7e8f900';

  const about = (entityId: string): NewEvent => ({
    type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
    upstreamEntityId: upstream,
    entityId,
    payload: { registryDataSubscriptionId: entityId, npn: '17654321' },
  });

  /** Emits events as an operation does; answers the items in the order of the stream. */
  async function emit(...events: readonly NewEvent[]): Promise<OutboxEvent[]> {
    const steps = createEventItems(itemsOf(table))(events, now());
    await transact(dynamo, steps);
    return eventsOfWrites(steps);
  }

  /** A bus that accepts the events that a test chooses. */
  function busThat(
    takes: (entry: BusEvent) => boolean = () => true,
  ): EventBus & { readonly entries: BusEvent[] } {
    const entries: BusEvent[] = [];
    return {
      entries,
      put: async (given) =>
        given.map((entry) => {
          if (!takes(entry)) return { outcome: 'failed', reason: 'not now' };
          entries.push(entry);
          return { outcome: 'accepted' };
        }),
    };
  }

  /** The publisher's other dependencies, and all that it reports. */
  function reporting() {
    return { outbox, now, log: recordingLogger() };
  }

  const detail = z.looseObject({ eventId: z.string(), entityId: z.string(), sequence: z.int() });
  const detailOf = (entry: BusEvent) => z.parse(detail, JSON.parse(entry.detail));
  const sequencesOf = (entries: readonly BusEvent[], entityId: string): number[] =>
    entries
      .map(detailOf)
      .filter((one) => one.entityId === entityId)
      .map(({ sequence }) => sequence);

  async function unpublished(): Promise<string[]> {
    const found: string[] = [];
    for await (const entries of outbox.unpublished(new Date(Date.now() + 60_000))) {
      found.push(...idsOf(z.parse(z.array(outboxEvent), await outbox.find(entries))));
    }
    return found;
  }

  const idsOf = (items: readonly OutboxEvent[]): string[] => items.map(({ eventId }) => eventId);

  it('numbers each entity’s events from 1, in order, and leaves none unpublished', async () => {
    const [one, other] = [newObjectId(now()), newObjectId(now())];
    const items = await emit(about(one), about(other), about(one), about(one));
    const bus = busThat();
    const report = reporting();
    await publish(items, { ...report, bus });
    expect(report.log.lines).toEqual([]);
    expect(sequencesOf(bus.entries, one).sort()).toEqual([1, 2, 3]);
    expect(sequencesOf(bus.entries, other)).toEqual([1]);
    expect(await unpublished()).toEqual([]);
  });

  it('numbers an event that the stream has given up on before a later one of its entity', async () => {
    const [entityId, other] = [newObjectId(now()), newObjectId(now())];
    const [missed] = await emit(about(entityId));
    await emit(about(other));
    await pause(2);
    const [later] = await emit(about(entityId));
    if (missed === undefined || later === undefined) throw new Error('Nothing was emitted.');
    const bus = busThat();
    const report = reporting();
    await publish([later], { ...report, bus });
    const numbers = new Map(bus.entries.map(detailOf).map(({ eventId, sequence }) => [eventId, sequence]));
    expect(numbers).toEqual(
      new Map([
        [missed.eventId, 1],
        [later.eventId, 2],
      ]),
    );
    // The schedule finds it done.
    await publish([missed], { ...report, bus });
    expect(bus.entries).toHaveLength(2);
  });

  it('says on the bus which events are of imports, and numbers them among the others', async () => {
    const entityId = newObjectId(now());
    const imported = eventsOfWrites(
      createEventItems(itemsOf(table), { areImported: true })([about(entityId)], now()),
    );
    await put(imported);
    await pause(2);
    const [other] = await emit(about(entityId));
    if (other === undefined) throw new Error('Nothing was emitted.');
    const bus = busThat();
    await publish([other], { ...reporting(), bus });
    const marks = bus.entries.map(detailOf).map(({ sequence, isImported }) => [sequence, isImported]);
    expect(marks).toEqual([
      [1, true],
      [2, undefined],
    ]);
  });

  it('leaves alone an earlier event that has its number', async () => {
    const entityId = newObjectId(now());
    const [first] = await emit(about(entityId));
    await pause(2);
    const [second] = await emit(about(entityId));
    if (first === undefined || second === undefined) throw new Error('Nothing was emitted.');
    const bus = busThat();
    await publish([first], { ...reporting(), bus: busThat(() => false) });
    await publish([second], { ...reporting(), bus });
    expect(sequencesOf(bus.entries, entityId)).toEqual([2]);
  });

  it('keeps an event that the bus rejected, with the same ID and number', async () => {
    const entityId = newObjectId(now());
    const items = await emit(about(entityId), about(entityId));
    const report = reporting();
    const { failures } = await publish(items, { ...report, bus: busThat(() => false) });
    expect(failures).toEqual(new Set(idsOf(items)));
    expect(report.log.lines.map(({ event }) => event)).toEqual([
      'event_not_published',
      'event_not_published',
    ]);
    expect((await unpublished()).sort()).toEqual([...failures].sort());

    const bus = busThat();
    await publish(items, { ...report, bus });
    expect(sequencesOf(bus.entries, entityId).sort()).toEqual([1, 2]);
    expect(await unpublished()).toEqual([]);
  });

  it('gives consecutive numbers with concurrent publishers', async () => {
    const entityId = newObjectId(now());
    const items: OutboxEvent[] = [];
    for (let count = 0; count < 12; count += 1) items.push(...(await emit(about(entityId))));
    const bus = busThat();
    for (let left = items; left.length > 0; ) {
      const failed = await Promise.all(
        [left, left.toReversed(), left].map((order) => publish(order, { ...reporting(), bus })),
      );
      left = items.filter(({ eventId }) => failed.some((one) => one.failures.has(eventId)));
    }
    const byEvent = new Map(bus.entries.map(detailOf).map(({ eventId, sequence }) => [eventId, sequence]));
    expect([...byEvent.values()].sort((a, b) => a - b)).toEqual(items.map((_, index) => index + 1));
    // A publisher that crashed before marking the event sends it again, with the same number.
    for (const entry of bus.entries) {
      const { eventId, sequence } = detailOf(entry);
      expect(byEvent.get(eventId)).toBe(sequence);
    }
  });

  /** Stores events as operations emit them. */
  async function put(items: readonly OutboxEvent[]): Promise<void> {
    await writesOf(dynamo, table).putAll(items.flatMap((item) => itemsOfEvent(item, 4_000_000_000)));
  }

  /** An event about a new entity. */
  function written(occurredAt: string, entityId = newObjectId(now())): OutboxEvent {
    const eventId = newEventId();
    const key = outboxKeys.event(upstream, entityId, eventId);
    const { type, payload } = about(entityId);
    return { ...key, eventId, type, upstreamEntityId: upstream, entityId, occurredAt, payload };
  }

  it('lists as unpublished only events older than requested', async () => {
    const old = written('2026-01-01T00:00:00.000Z');
    await put([old, written(now().toISOString())]);
    const found: string[] = [];
    for await (const entries of outbox.unpublished(new Date(Date.now() - 300_000))) {
      found.push(...entries.map(({ eventId }) => eventId));
    }
    expect(found).toEqual([old.eventId]);
  });

  it('remembers no more numbers than those of unpublished events, and some', async () => {
    const entityId = newObjectId(now());
    const bus = busThat();
    const items: OutboxEvent[] = [];
    for (let count = 0; count < 15; count += 1) {
      items.push(...(await emit(about(entityId))));
      await publish(items.slice(-1), { ...reporting(), bus });
    }
    expect(sequencesOf(bus.entries, entityId)).toEqual(items.map((_, index) => index + 1));
    await publish(items, { ...reporting(), bus });
    expect(bus.entries).toHaveLength(15);
    const counter = (await everyItem(dynamo, table)).find(({ sk }) => String(sk).startsWith('SEQUENCE#'));
    expect(Object.keys(counter?.['numbered'] ?? {}).length).toBeLessThanOrEqual(10);
  });

  it('a position outlives its event by no day, however long it waited to be published', async () => {
    const item = written(new Date(Date.now() - 20 * 86_400_000).toISOString());
    await put([item]);
    await publish([item], { ...reporting(), bus: busThat() });
    const expiry = new Map((await everyItem(dynamo, table)).map(({ sk, expiresAt }) => [sk, expiresAt]));
    expect(Number(expiry.get(item.sk))).toBeGreaterThanOrEqual(Number(expiry.get('0000000000000001')));
  });
});
