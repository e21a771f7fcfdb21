import { setTimeout as pause } from 'node:timers/promises';
import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { createEventItems } from '#domain/events/outbox.ts';
import {
  itemsOfEvent,
  newEventId,
  type OutboxEvent,
  outboxEvent,
  outboxKeys,
  unpublishedPartition,
  unpublishedPlace,
  unpublishedShards,
} from '#domain/events/stored.ts';
import type { NewEvent } from '#domain/events/transaction-items.ts';
import { createOutboxStore, type OutboxStore } from '#domain/publishing/outbox-store.ts';
import { type BusEvent, CallRejected, type EventBus, publish } from '#domain/publishing/publish.ts';
import { outboxTable } from '#domain/tables.ts';
import { putEventsBytes, putEventsEntries } from '#platform/aws/limits.ts';
import { batchGet, toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { itemsOf, type Key, tableOf, writesOf } from '#platform/data/table.ts';
import { transact } from '#platform/data/transact.ts';
import type { LogEvent } from '#platform/log/log.ts';
import { createHandler } from '../../functions/event-publisher/function.ts';
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

describe('event refusals', () => {
  const upstream = '65f0c1d2e3a4b5c6d7e8f900';
  const type = 'CONTRACT_SIGNED';

  let table: string;

  beforeEach(async () => {
    table = await createTable(outboxTable);
  });

  /** An event of a new entity, created some minutes ago. */
  function newEvent(
    payload: object,
    options: { readonly minutesAgo?: number; readonly shard?: number } = {},
  ): OutboxEvent {
    const { minutesAgo = 10, shard } = options;
    const eventId = newEventId();
    let entityId = newObjectId(new Date());
    const partition = () => unpublishedPlace({ upstreamEntityId: upstream, entityId }).pk;
    while (shard !== undefined && partition() !== unpublishedPartition(shard))
      entityId = newObjectId(new Date());
    const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
    return {
      ...outboxKeys.event(upstream, entityId, eventId),
      ...{ eventId, type, upstreamEntityId: upstream, entityId, occurredAt: at, payload },
    };
  }

  /** Stores events. */
  async function writeAll(items: readonly OutboxEvent[]): Promise<readonly OutboxEvent[]> {
    await writesOf(dynamo, table).putAll(items.flatMap((item) => itemsOfEvent(item, 4_000_000_000)));
    return items;
  }

  async function write(...event: Parameters<typeof newEvent>): Promise<OutboxEvent> {
    const item = newEvent(...event);
    await writeAll([item]);
    return item;
  }

  const writeMany = (count: number, payload: object): Promise<readonly OutboxEvent[]> =>
    writeAll(Array.from({ length: count }, () => newEvent(payload)));

  async function stored({ pk, sk }: Key): Promise<Record<string, unknown>> {
    const { Item = {} } = await dynamo.send(
      new GetItemCommand({ TableName: table, Key: toItem({ pk, sk }), ConsistentRead: true }),
    );
    return unmarshall(Item);
  }

  const allPublished = async (items: readonly OutboxEvent[]): Promise<boolean> =>
    (await batchGet(dynamo, table, items.map(outboxKeys.unpublished), { consistent: true })).length === 0;
  const isPublished = (item: OutboxEvent): Promise<boolean> => allPublished([item]);

  /** A bus with EventBridge's limits, which refuses calls with an event in `poison`. */
  function strictBus(options: { poison?: ReadonlySet<string>; fault?: CallRejected['fault'] } = {}) {
    const { poison = new Set(), fault = 'entries' } = options;
    const calls: string[][] = [];
    const isPoison = ({ detail }: BusEvent) => Array.from(poison).some((eventId) => detail.includes(eventId));
    const put: EventBus['put'] = async (entries) => {
      const bytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(entry.detail), 0);
      if (entries.length > putEventsEntries || bytes >= putEventsBytes) {
        throw new CallRejected('entries', new Error('The call is too large.'));
      }
      if (entries.some(isPoison)) throw new CallRejected(fault, new Error('no'));
      calls.push(entries.map(({ detail }) => JSON.parse(detail).entityId));
      return entries.map(() => ({ outcome: 'accepted' }));
    };
    return { put, calls };
  }

  /** The publisher, and all that it reports. */
  function publisher(bus: EventBus) {
    const log = recordingLogger();
    const handler = createHandler({
      outbox: createOutboxStore(tableOf(outboxTable, dynamo, table)),
      bus,
      now: () => new Date(),
      log,
    });
    const linesOf = (event: LogEvent) => log.lines.filter((line) => line['event'] === event);
    return {
      handler,
      report: () => ({
        failures: linesOf('event_not_published').map(({ eventId }) => eventId),
        refusals: linesOf('event_refused').map(({ eventId }) => eventId),
        republished: linesOf('events_republished').map(
          ({ level: _l, message: _m, event: _e, ...done }) => done,
        ),
      }),
      runs: () => linesOf('events_published').map(({ level: _l, message: _m, event: _e, ...run }) => run),
    };
  }

  const streamOf = (items: readonly OutboxEvent[]): DynamoDBStreamEvent => ({
    Records: items.map((item, index) => ({
      eventName: 'INSERT',
      dynamodb: {
        SequenceNumber: String(index),
        NewImage: toItem({ ...item }) as NonNullable<
          NonNullable<DynamoDBStreamEvent['Records'][number]['dynamodb']>['NewImage']
        > &
          Record<string, AttributeValue>,
      },
    })),
  });

  const fiveMinutes = { getRemainingTimeInMillis: () => 300_000 };
  const republish = { task: 'republish' } as const;

  const small = { text: 'a' };
  const large = { text: 'a'.repeat(190_000) };
  /** An item that fits DynamoDB but whose JSON exceeds the bus's limit. */
  const tooLarge = { text: '\u0001'.repeat(200_000) };

  it('publishes ten events of 190 KB among small ones within the bus’s limits', async () => {
    const items = [await write(small), ...(await writeMany(10, large)), await write(small)];
    const { handler, report } = publisher(strictBus());
    expect(await handler(streamOf(items), fiveMinutes)).toEqual({ batchItemFailures: [] });
    expect(await allPublished(items)).toBe(true);
    expect(report()).toEqual({ failures: [], refusals: [], republished: [] });
  });

  it.each([
    ['is refused by the bus', small],
    ['is too large for the bus', tooLarge],
  ])('reports only the event that %s, and does not hold up the stream', async (_, payload) => {
    const [before, refused, after] = [
      await writeMany(4, small),
      await write(payload),
      await writeMany(4, large),
    ];
    const { handler, report } = publisher(strictBus({ poison: new Set([refused.eventId]) }));

    const answer = await handler(streamOf([...before, refused, ...after]), fiveMinutes);

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(await allPublished([...before, ...after])).toBe(true);
    expect(report()).toEqual({ failures: [], refusals: [refused.eventId], republished: [] });
    expect(await isPublished(refused)).toBe(false);
  });

  it('gives no number to an event that is too large, so that no receiver waits for it', async () => {
    const refused = await write(tooLarge);
    await publisher(strictBus()).handler(streamOf([refused]), fiveMinutes);
    expect(await stored(outboxKeys.sequence(upstream, refused.entityId, type))).toEqual({});
  });

  it('retries an event that fails for an unknown reason, without holding up the others', async () => {
    const [others, failing] = [await writeMany(6, small), await write(small)];
    const bus = strictBus({ poison: new Set([failing.eventId]), fault: 'unknown' });
    const { handler, report } = publisher(bus);
    const answer = await handler(streamOf([failing, ...others]), fiveMinutes);
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '0' }] });
    expect(await allPublished(others)).toBe(true);
    expect(report()).toMatchObject({ failures: [failing.eventId], refusals: [] });
  });

  it('does not hold up the stream for an event whose number cannot be read', async () => {
    const [stuck, other] = [await write(small), await write(small)];
    const counter = outboxKeys.sequence(upstream, stuck.entityId, type);
    await writesOf(dynamo, table).put({ ...counter, last: 'not a number' });
    const { handler, report } = publisher(strictBus());
    expect(await handler(streamOf([stuck, other]), fiveMinutes)).toEqual({ batchItemFailures: [] });
    expect(await isPublished(other)).toBe(true);
    expect(report()).toMatchObject({ failures: [stuck.eventId] });
    await writesOf(dynamo, table).put({ ...counter, last: 7 });
    expect(await handler(republish, fiveMinutes)).toMatchObject({ republished: 1 });
    expect(await stored(counter)).toMatchObject({ last: 8 });
  });

  it('on schedule, skips an event that cannot be read', async () => {
    const [unreadable, other] = [await write(small), await write(small)];
    const { occurredAt: _, ...rest } = unreadable;
    await writesOf(dynamo, table).put(rest);
    const { handler } = publisher(strictBus());
    expect(await handler(republish, fiveMinutes)).toMatchObject({ republished: 1, failed: 0 });
    expect(await isPublished(other)).toBe(true);
  });

  it('stops calling a bus that throttles', async () => {
    const items = await writeMany(10, small);
    let calls = 0;
    const put: EventBus['put'] = () => {
      calls += 1;
      return Promise.reject(new CallRejected('elsewhere', new Error('ThrottlingException')));
    };
    const { handler, report } = publisher({ put });
    expect(await handler(streamOf(items), fiveMinutes)).toEqual({
      batchItemFailures: [{ itemIdentifier: '0' }],
    });
    expect(calls).toBe(1);
    expect(report().failures).toHaveLength(10);
  });

  it('on schedule, publishes the other events, and a refused one later', async () => {
    const [refused, others] = [await write(small, { minutesAgo: 60 }), await writeMany(12, large)];
    const poison = new Set([refused.eventId]);
    const { handler, report } = publisher(strictBus({ poison }));

    const done = { republished: 12, failed: 0, refused: 1, isComplete: true };
    expect(await handler(republish, fiveMinutes)).toEqual(done);
    expect(await allPublished(others)).toBe(true);
    expect(report()).toEqual({ failures: [], refusals: [refused.eventId], republished: [done] });

    // While it alone is left, no report says that events are late.
    expect(await handler(republish, fiveMinutes)).toEqual({ ...done, republished: 0 });
    expect(report().republished).toEqual([done]);
    expect(report().refusals).toHaveLength(2);

    poison.clear();
    expect(await handler(republish, fiveMinutes)).toMatchObject({ republished: 1, refused: 0 });
    expect(await isPublished(refused)).toBe(true);
  });

  it('on schedule, publishes the oldest events of all shards first, and stops when out of time', async () => {
    // The youngest are in the first shards, more than one page in each.
    const young = await writeAll(
      Array.from({ length: 210 }, (_, index) => newEvent(small, { minutesAgo: 6, shard: index % 2 })),
    );
    const old = await write(small, { minutesAgo: 90, shard: unpublishedShards - 1 });
    const bus = strictBus();
    const { handler } = publisher(bus);
    let asked = 0;
    const oneChunk = { getRemainingTimeInMillis: () => (asked++ === 0 ? 300_000 : 1_000) };

    expect(await handler(republish, oneChunk)).toMatchObject({ republished: 100, isComplete: false });
    expect(bus.calls[0]).toContain(old.entityId);

    expect(await handler(republish, fiveMinutes)).toMatchObject({ republished: 111, isComplete: true });
    expect(await allPublished([...young, old])).toBe(true);
  });

  it('publishes an event once that the stream repeats, within a batch and after it', async () => {
    const item = await write(small);
    const { put, calls } = strictBus();
    const { handler, report } = publisher({ put });
    await handler(streamOf([item, item]), fiveMinutes);
    await handler(streamOf([item]), fiveMinutes);
    expect(calls).toEqual([[item.entityId]]);
    expect(report()).toEqual({ failures: [], refusals: [], republished: [] });
  });

  it('puts no text on the bus that a queue refuses, and keeps it in the outbox', async () => {
    const text = 'Agency \uFFFF 🏢';
    const item = await write({ text });
    const put: BusEvent[] = [];
    const { handler } = publisher({
      put: async (entries) => {
        put.push(...entries);
        return entries.map(() => ({ outcome: 'accepted' }));
      },
    });
    await handler(streamOf([item]), fiveMinutes);
    expect(put.map(({ detail }) => JSON.parse(detail).payload)).toEqual([{ text: 'Agency \uFFFD 🏢' }]);
    expect(await stored(item)).toMatchObject({ payload: { text } });
  });

  it('tells of each run, also of one without an event', async () => {
    const [good, bad] = [await write(small), await write(small)];
    const { handler, runs } = publisher(strictBus({ poison: new Set([bad.eventId]) }));
    await handler(streamOf([good, bad]), fiveMinutes);
    await handler(streamOf([]), fiveMinutes);
    await handler(republish, fiveMinutes);
    expect(runs()).toEqual([
      { trigger: 'stream', published: 1, failed: 0, refused: 1 },
      { trigger: 'stream', published: 0, failed: 0, refused: 0 },
      { trigger: 'schedule', published: 0, failed: 0, refused: 1 },
    ]);
  });
});
