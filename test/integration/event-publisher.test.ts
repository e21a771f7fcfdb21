import { setTimeout as pause } from 'node:timers/promises';
import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { EventBus } from '../../functions/event-publisher/bus.ts';
import { createDeferredStore } from '../../functions/event-publisher/deferred-store.ts';
import { createOutboxStore, type OutboxStore } from '../../functions/event-publisher/outbox-store.ts';
import { publish } from '../../functions/event-publisher/publish.ts';
import type { BusEntry } from '../../shared/domain/events/bus-entry.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { type OutboxItem, outboxItem } from '../../shared/domain/events/stored.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import type { NewEvent } from '../../shared/domain/events/transaction-items.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { itemsOf } from '../../shared/platform/data/table-items.ts';
import { transact } from '../../shared/platform/data/transact.ts';
import { createTable, dynamo } from '../support/tables.ts';

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
async function emit(...events: readonly NewEvent[]): Promise<OutboxItem[]> {
  const steps = createEventItems(itemsOf(table))(events, now());
  await transact(dynamo, steps);
  return steps.map(({ write }) => z.parse(outboxItem, unmarshall(write.Put?.Item ?? {})));
}

/** A bus that accepts the events that a test chooses. */
function busThat(
  takes: (entry: BusEntry) => boolean = () => true,
): EventBus & { readonly entries: BusEntry[] } {
  const entries: BusEntry[] = [];
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
  const failures: string[] = [];
  const refusals: string[] = [];
  return {
    failures,
    refusals,
    outbox,
    deferred: createDeferredStore(tableOf(outboxTable, dynamo, table)),
    now,
    onFailure: ({ eventId }: OutboxItem) => void failures.push(eventId),
    onRefusal: ({ eventId }: OutboxItem) => void refusals.push(eventId),
  };
}

const detail = z.looseObject({ eventId: z.string(), entityId: z.string(), sequence: z.int() });
const detailOf = (entry: BusEntry) => z.parse(detail, JSON.parse(entry.detail));
const sequencesOf = (entries: readonly BusEntry[], entityId: string): number[] =>
  entries
    .map(detailOf)
    .filter((one) => one.entityId === entityId)
    .map(({ sequence }) => sequence);

async function unpublished(): Promise<string[]> {
  const found: string[] = [];
  for await (const keys of outbox.unpublished(new Date(Date.now() + 60_000))) {
    found.push(
      ...z.parse(z.array(outboxItem), await outbox.findUnpublished(keys)).map(({ eventId }) => eventId),
    );
  }
  return found;
}

const idsOf = (items: readonly OutboxItem[]): string[] => items.map(({ eventId }) => eventId);

it('numbers each entity’s events from 1, in order, and leaves none unpublished', async () => {
  const [one, other] = [newObjectId(now()), newObjectId(now())];
  const items = await emit(about(one), about(other), about(one), about(one));
  const bus = busThat();
  const report = reporting();
  await publish(items, { ...report, bus });
  expect(report).toMatchObject({ failures: [], refusals: [] });
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

it('does not publish an event twice', async () => {
  const items = await emit(about(newObjectId(now())));
  const bus = busThat();
  await publish(items, { ...reporting(), bus });
  await publish(items, { ...reporting(), bus });
  expect(bus.entries).toHaveLength(1);
});

it('keeps an event that the bus rejected, with the same ID and number', async () => {
  const entityId = newObjectId(now());
  const items = await emit(about(entityId), about(entityId));
  const report = reporting();
  const { failed } = await publish(items, { ...report, bus: busThat(() => false) });
  expect(failed).toEqual(new Set(idsOf(items)));
  expect(report.failures).toHaveLength(2);
  expect((await unpublished()).sort()).toEqual([...failed].sort());

  const bus = busThat();
  await publish(items, { ...report, bus });
  expect(sequencesOf(bus.entries, entityId).sort()).toEqual([1, 2]);
  expect(await unpublished()).toEqual([]);
});

it('keeps all events of a failed call to the bus', async () => {
  const items = await emit(about(newObjectId(now())));
  const bus: EventBus = { put: () => Promise.reject(new Error('throttled')) };
  const { failed } = await publish(items, { ...reporting(), bus });
  expect(failed).toEqual(new Set(idsOf(items)));
  expect(await unpublished()).toEqual(idsOf(items));
});

it('gives consecutive numbers with concurrent publishers', async () => {
  const entityId = newObjectId(now());
  const items: OutboxItem[] = [];
  for (let count = 0; count < 12; count += 1) items.push(...(await emit(about(entityId))));
  const bus = busThat();
  for (let left = items; left.length > 0; ) {
    const failed = await Promise.all(
      [left, left.toReversed(), left].map((order) => publish(order, { ...reporting(), bus })),
    );
    left = items.filter(({ eventId }) => failed.some((one) => one.failed.has(eventId)));
  }
  const byEvent = new Map(bus.entries.map(detailOf).map(({ eventId, sequence }) => [eventId, sequence]));
  expect([...byEvent.values()].sort((a, b) => a - b)).toEqual(items.map((_, index) => index + 1));
  // A publisher that crashed before marking the event sends it again, with the same number.
  for (const entry of bus.entries) {
    const { eventId, sequence } = detailOf(entry);
    expect(byEvent.get(eventId)).toBe(sequence);
  }
});

it('lists as unpublished only events older than requested', async () => {
  const [item] = await emit(about(newObjectId(now())));
  const old = { ...item, sk: `${item?.sk}-old`, createdAt: '2026-01-01T00:00:00.000Z' };
  const { Items = [] } = await dynamo.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: toItem({ ':pk': item?.pk }),
    }),
  );
  await dynamo.send(new PutItemCommand({ TableName: table, Item: { ...Items[0], ...toItem(old) } }));
  const found: string[] = [];
  for await (const keys of outbox.unpublished(new Date(Date.now() - 300_000))) {
    found.push(...keys.map(({ sk }) => sk));
  }
  expect(found).toEqual([old.sk]);
});

it('writes as much to the index for a large event as for a small one', async () => {
  const item = await emit(about(newObjectId(now())));
  const large = {
    ...item[0],
    sk: 'EVENT#large',
    unpublishedKey: 'UNPUBLISHED#63',
    payload: 'a'.repeat(190_000),
  };
  const { ConsumedCapacity } = await dynamo.send(
    new PutItemCommand({ TableName: table, Item: toItem(large), ReturnConsumedCapacity: 'INDEXES' }),
  );
  expect(ConsumedCapacity?.GlobalSecondaryIndexes).toEqual({ unpublished: { CapacityUnits: 1 } });
});

it('finds unpublished events in each of 64 shards', async () => {
  const [item] = await emit(about(newObjectId(now())));
  const shards = Array.from({ length: 64 }, (_, shard) => `UNPUBLISHED#${shard}`);
  await Promise.all(
    shards.map((unpublishedKey) =>
      dynamo.send(
        new PutItemCommand({
          TableName: table,
          Item: toItem({ ...item, sk: `EVENT#${unpublishedKey}`, eventId: unpublishedKey, unpublishedKey }),
        }),
      ),
    ),
  );
  expect(await unpublished()).toEqual(expect.arrayContaining(shards));
});
