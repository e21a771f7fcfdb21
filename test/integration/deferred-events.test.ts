import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import type { EventBus } from '../../functions/event-publisher/bus.ts';
import { createDeferredStore, type DeferredStore } from '../../functions/event-publisher/deferred-store.ts';
import { createOutboxStore } from '../../functions/event-publisher/outbox-store.ts';
import { publish } from '../../functions/event-publisher/publish.ts';
import { release } from '../../functions/event-publisher/release.ts';
import type { BusEntry } from '../../shared/domain/events/bus-entry.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { derivedEventId, type OutboxItem, outboxItem } from '../../shared/domain/events/stored.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import type { Pace } from '../../shared/platform/data/pace.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { itemsOf } from '../../shared/platform/data/table-items.ts';
import { transact } from '../../shared/platform/data/transact.ts';
import { everyItem } from '../support/every-item.ts';
import { type Fault, withFaults } from '../support/faults.ts';
import { risingClock } from '../support/rising-clock.ts';
import { createTable, dynamo } from '../support/tables.ts';
import { until } from '../support/until.ts';

let table: string;
let deferred: DeferredStore;
let outbox: ReturnType<typeof createOutboxStore>;
const now = risingClock();

beforeEach(async () => {
  table = await createTable(outboxTable);
  deferred = createDeferredStore(tableOf(outboxTable, dynamo, table));
  outbox = createOutboxStore(tableOf(outboxTable, dynamo, table));
});

const carrier = newObjectId(new Date());

interface Emitted {
  readonly entityId: string;
  readonly owner?: string;
  readonly eventId?: string;
}

/** Emits an event as an import does, or as a request does; answers its id. */
async function emit(
  isDeferred: boolean,
  { entityId, owner = carrier, eventId = crypto.randomUUID() }: Emitted,
): Promise<string> {
  const event = {
    type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
    upstreamEntityId: owner,
    entityId,
    eventId,
    payload: { registryDataSubscriptionId: entityId, npn: '17654321' },
  } as const;
  await transact(dynamo, createEventItems(itemsOf(table), { deferred: isDeferred })([event], now()));
  return eventId;
}

const detail = z.looseObject({ eventId: z.string(), sequence: z.int() });

/** The bus, and what it has accepted: ids with their numbers, in the order of arrival. */
function recordingBus() {
  const accepted: { readonly eventId: string; readonly sequence: number }[] = [];
  const bus: EventBus = {
    put: async (entries: readonly BusEntry[]) =>
      entries.map((entry) => {
        accepted.push(z.parse(detail, JSON.parse(entry.detail)));
        return { outcome: 'accepted' };
      }),
  };
  return { bus, accepted };
}

/** The outbox's stream: new events in the order in which they came in, each once. */
function stream() {
  const seen = new Set<string>();
  return {
    async next(): Promise<OutboxItem[]> {
      const items = (await everyItem(dynamo, table)).filter(({ sk }) => String(sk).startsWith('EVENT#'));
      const fresh = items
        .map((item) => z.parse(outboxItem, item))
        .filter(({ eventId }) => !seen.has(eventId))
        .sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
      for (const { eventId } of fresh) seen.add(eventId);
      return fresh;
    },
  };
}

const publishDeps = (bus: EventBus) => ({
  outbox,
  deferred,
  bus,
  now,
  onFailure: () => undefined,
  onRefusal: () => undefined,
});

/** Turns that come at once, counted. */
function countingPace() {
  const turns: number[] = [];
  const pace: Pace = async (count) => {
    turns.push(count);
    return Array.from({ length: count }, () => async () => undefined);
  };
  return { pace, turns };
}

const releaseAll = ({
  pace = countingPace().pace,
  hasTime = () => true,
  wait = async () => undefined,
}: {
  readonly pace?: Pace;
  readonly hasTime?: () => boolean;
  readonly wait?: () => Promise<unknown>;
} = {}) => release({ deferred, outbox, pace, now, hasTime, wait, onNotReleased: () => undefined });

/** The deferred events that wait. */
async function waiting(): Promise<Record<string, unknown>[]> {
  const items = await everyItem(dynamo, table);
  return items.filter(({ unpublishedKey }) => String(unpublishedKey).startsWith('DEFERRED#'));
}

it('a deferred event comes into the stream when it is released, and takes a turn', async () => {
  const entityId = newObjectId(now());
  const ids = [await emit(true, { entityId }), await emit(true, { entityId: newObjectId(now()) })];
  const events = stream();
  expect(await events.next()).toEqual([]);
  const { pace, turns } = countingPace();
  expect(await releaseAll({ pace })).toMatchObject({ released: 2, failed: 0, isComplete: true });
  expect(turns).toEqual([2]);
  expect((await events.next()).map(({ eventId }) => eventId)).toEqual(ids);
  expect(await waiting()).toEqual([]);
});

it('each deferred event comes into the stream in a turn of its own', async () => {
  for (let count = 0; count < 13; count += 1) await emit(true, { entityId: newObjectId(now()) });
  let turns = 0;
  /** Turns of which each begins when the event of the one before has been released. */
  const pace: Pace = async (count) =>
    Array.from({ length: count }, () => async () => {
      const number = turns;
      turns += 1;
      await until(async () => (await waiting()).length <= 13 - number);
      expect(await waiting()).toHaveLength(13 - number);
    });
  expect(await releaseAll({ pace })).toMatchObject({ released: 13, failed: 0 });
  expect(turns).toBe(13);
});

it('an event of a request does not wait for deferred ones of other records', async () => {
  for (let count = 0; count < 30; count += 1) await emit(true, { entityId: newObjectId(now()) });
  const live = await emit(false, { entityId: newObjectId(now()) });
  const { bus, accepted } = recordingBus();
  await publish(await stream().next(), publishDeps(bus));
  expect(accepted.map(({ eventId }) => eventId)).toEqual([live]);
  expect(await waiting()).toHaveLength(30);
});

it('the schedule that publishes what the stream missed leaves deferred events waiting', async () => {
  await emit(true, { entityId: newObjectId(now()) });
  for await (const keys of outbox.unpublished(new Date(Date.now() + 600_000))) expect(keys).toEqual([]);
  expect(await waiting()).toHaveLength(1);
});

it('carriers take turns: a small import does not wait for a large one', async () => {
  const small = newObjectId(new Date(0));
  await Promise.all(Array.from({ length: 230 }, () => emit(true, { entityId: newObjectId(now()) })));
  const ofSmall = [await emit(true, { entityId: small, owner: small })];
  // A hundred of each carrier at a time: twelve reservations are enough for the small one.
  let chunks = 0;
  const hasTime = () => {
    chunks += 1;
    return chunks <= 12;
  };
  expect(await releaseAll({ hasTime })).toMatchObject({ isComplete: false });
  const released = (await stream().next()).map(({ eventId }) => eventId);
  expect(released).toEqual(expect.arrayContaining(ofSmall));
  expect(released.length).toBeLessThan(130);
});

it('an event that an import emits again after it was published is dropped', async () => {
  const emitted = { entityId: newObjectId(now()), eventId: derivedEventId('agency', 'change') };
  await emit(true, emitted);
  const events = stream();
  const { bus, accepted } = recordingBus();
  await releaseAll();
  await publish(await events.next(), publishDeps(bus));
  await emit(true, emitted);
  expect(await releaseAll()).toMatchObject({ failed: 0, isComplete: true });
  await publish(await events.next(), publishDeps(bus));
  expect(accepted).toHaveLength(1);
  expect(await waiting()).toEqual([]);
});

it('deferred events that break off at any call are all published, each under one number', async () => {
  const entityId = newObjectId(now());
  const ids: string[] = [];
  const events = stream();
  const { bus, accepted } = recordingBus();
  /** Calls of the database until everything is published, with one that breaks off. */
  const publishAll = async (broken: number, fault: Fault): Promise<number> => {
    ids.push(await emit(true, { entityId }), await emit(false, { entityId }));
    let calls = 0;
    const faultNow = (command: string): Fault => {
      if (command === 'ScanCommand') return 'none';
      calls += 1;
      return calls === broken ? fault : 'none';
    };
    await withFaults(faultNow, async () => {
      let left: OutboxItem[] = [];
      do {
        for (const item of await waiting()) await deferred.release(item, now()).catch(() => undefined);
        left.push(...(await events.next()));
        const { failed } = await publish(left, publishDeps(bus));
        left = left.filter(({ eventId }) => failed.has(eventId));
      } while (left.length + (await waiting()).length > 0);
    });
    return calls;
  };
  const calls = await publishAll(0, 'none');
  for (let broken = 1; broken <= calls; broken += 1) {
    for (const fault of ['before', 'after'] as const) await publishAll(broken, fault);
  }
  const numbers = new Map(accepted.map(({ eventId, sequence }) => [eventId, sequence]));
  expect(ids.map((eventId) => numbers.get(eventId))).toEqual(ids.map((_, index) => index + 1));
  // Nothing remains of a deferred event that has its number.
  expect((await everyItem(dynamo, table)).filter(({ sk }) => String(sk).startsWith('DEFERRED#'))).toEqual([]);
});

it('numbers follow the order of the changes, whatever is released and published when', async () => {
  const step = fc.constantFrom(
    'request',
    'import',
    'release one',
    'release all',
    'publish one',
    'publish all',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const entityId = newObjectId(now());
      const events = stream();
      await events.next();
      const ids: string[] = [];
      const queue: OutboxItem[] = [];
      const { bus, accepted } = recordingBus();
      const releaseSome = async (count: number): Promise<void> => {
        for (const item of (await waiting()).slice(0, count)) await deferred.release(item, now());
      };
      const publishSome = async (count: number): Promise<void> => {
        queue.push(...(await events.next()));
        await publish(queue.splice(0, count), publishDeps(bus));
      };
      for (const one of [...steps, 'release all', 'publish all'] as const) {
        if (one === 'request' || one === 'import') ids.push(await emit(one === 'import', { entityId }));
        else if (one === 'release all') await releaseSome(Number.POSITIVE_INFINITY);
        else if (one === 'release one') await releaseSome(1);
        else await publishSome(one === 'publish one' ? 1 : Number.POSITIVE_INFINITY);
      }
      const numbers = new Map(accepted.map(({ eventId, sequence }) => [eventId, sequence]));
      expect(ids.map((eventId) => numbers.get(eventId))).toEqual(ids.map((_, index) => index + 1));
      expect(accepted).toHaveLength(ids.length);
    }),
    { numRuns: 6 },
  );
});

it('what is released is the event as it was written', async () => {
  const entityId = newObjectId(now());
  const eventId = await emit(true, { entityId });
  const [before] = await everyItem(dynamo, table);
  await releaseAll();
  const Key = toItem({ pk: `${carrier}#${entityId}`, sk: `EVENT#${eventId}` });
  const { Item = {} } = await dynamo.send(new GetItemCommand({ TableName: table, Key }));
  const { sk, createdAt, unpublishedKey, ...after } = unmarshall(Item);
  expect(before).toMatchObject(after);
  expect(unpublishedKey).toMatch(/^UNPUBLISHED#/);
  expect(createdAt > String(before?.['createdAt'])).toBe(true);
});

it('a deferred item that cannot be read holds up no event about its entity', async () => {
  const entityId = newObjectId(now());
  const Item = toItem({ pk: `${carrier}#${entityId}`, sk: 'DEFERRED#1', unpublishedKey: 'DEFERRED#1' });
  await dynamo.send(new PutItemCommand({ TableName: table, Item }));
  const eventId = await emit(false, { entityId });
  const { bus, accepted } = recordingBus();
  await publish(await stream().next(), publishDeps(bus));
  expect(accepted).toMatchObject([{ eventId, sequence: 1 }]);
});

it('no more events are released while those before are not published', async () => {
  for (let count = 0; count < 70; count += 1) await emit(true, { entityId: newObjectId(now()) });
  const events = stream();
  const { bus, accepted } = recordingBus();
  const ahead: number[] = [];
  const wait = async () => {
    const next = await events.next();
    ahead.push(next.length);
    await publish(next, publishDeps(bus));
  };
  expect(await releaseAll({ wait })).toMatchObject({ released: 70 });
  await wait();
  expect(accepted).toHaveLength(70);
  expect(Math.max(...ahead)).toBe(20);
});
