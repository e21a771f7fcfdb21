import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import {
  createHandler,
  type HandlerDeps,
  publishEntries,
  release,
} from '../../functions/event-publisher/handler.ts';
import { createOutboxStore, unpublishedEntry } from '../../functions/event-publisher/outbox-store.ts';
import { type EventBus, publish } from '../../functions/event-publisher/publish.ts';
import { readEventPattern } from '../../infra/local/triggers/event-bus.ts';
import type { BusEvent } from '../../shared/domain/events/event.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import {
  askedReleaseMs,
  createReleases,
  derivedEventId,
  type OutboxEvent,
  outboxEvent,
  outboxKeys,
  type Releases,
  releaseAsked,
  releaseMs,
  shardOf,
} from '../../shared/domain/events/stored.ts';
import { EventAlreadyEmitted } from '../../shared/domain/events/transaction-items.ts';
import { outboxTable } from '../../shared/domain/table-designs.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import type { Pace } from '../../shared/platform/data/pace.ts';
import { itemsOf, tableOf } from '../../shared/platform/data/table.ts';
import { transact } from '../../shared/platform/data/transact.ts';
import { everyItem } from '../support/every-item.ts';
import { runs } from '../support/extent.ts';
import { type Fault, withFaults } from '../support/faults.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { risingClock } from '../support/rising-clock.ts';
import { createTable, dynamo } from '../support/tables.ts';

let table: string;
let outbox: ReturnType<typeof createOutboxStore>;
let releases: Releases;
const now = risingClock();

beforeEach(async () => {
  table = await createTable(outboxTable);
  outbox = createOutboxStore(tableOf(outboxTable, dynamo, table));
  releases = createReleases(tableOf(outboxTable, dynamo, table));
});

const carrier = newObjectId(new Date());

interface Emitted {
  readonly entityId: string;
  readonly owner?: string;
  readonly eventId?: string;
}

/** Emits events as an import does, or as a request does; answers their ids. */
async function emitAll(isDeferred: boolean, emitted: readonly Emitted[]): Promise<string[]> {
  const newItems = createEventItems(itemsOf(table), { deferred: isDeferred });
  const events = emitted.map(({ entityId, owner = carrier, eventId = crypto.randomUUID() }) => ({
    type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED' as const,
    upstreamEntityId: owner,
    entityId,
    eventId,
    payload: { registryDataSubscriptionId: entityId, npn: '17654321' },
  }));
  const items = events.map((event) => newItems([event], now()));
  for (const some of chunks(items, { count: 30 })) await transact(dynamo, some.flat());
  return events.map(({ eventId }) => eventId);
}

/** Emits one; answers its id. */
const emit = async (isDeferred: boolean, emitted: Emitted): Promise<string> =>
  (await emitAll(isDeferred, [emitted]))[0] ?? '';

/** Has events of so many records wait. */
const deferMany = (count: number): Promise<string[]> =>
  emitAll(
    true,
    Array.from({ length: count }, () => ({ entityId: newObjectId(now()) })),
  );

const detail = z.looseObject({ eventId: z.string(), sequence: z.int() });

/** The bus, and what it has accepted: ids with their numbers, in the order of arrival. */
function recordingBus() {
  const accepted: { readonly eventId: string; readonly sequence: number }[] = [];
  const bus: EventBus = {
    put: async (entries: readonly BusEvent[]) =>
      entries.map((entry) => {
        accepted.push(z.parse(detail, JSON.parse(entry.detail)));
        return { outcome: 'accepted' };
      }),
  };
  return { bus, accepted };
}

/** The outbox's stream: new events in the order in which they came in, each once, and no deferred ones. */
function stream() {
  const seen = new Set<string>();
  return {
    async next(): Promise<OutboxEvent[]> {
      const items = (await everyItem(dynamo, table)).filter(({ sk }) => String(sk).startsWith('EVENT#'));
      const fresh = items
        .map((item) => z.parse(outboxEvent, item))
        .filter(({ eventId, deferred }) => deferred !== true && !seen.has(eventId))
        .sort((one, other) => (one.occurredAt < other.occurredAt ? -1 : 1));
      for (const { eventId } of fresh) seen.add(eventId);
      return fresh;
    },
  };
}

const publishDeps = (bus: EventBus) => ({
  outbox,
  bus,
  now,
  log: recordingLogger(),
});

/** Slots that come at once, counted. */
function countingPace() {
  const slots: number[] = [];
  const pace: Pace = async (count) => {
    slots.push(count);
    return Array.from({ length: count }, () => async () => undefined);
  };
  return { pace, slots };
}

/** Publishes deferred events to a bus. */
const releaseAll = (
  bus: EventBus,
  {
    pace = countingPace().pace,
    hasTime = () => true,
  }: { readonly pace?: Pace; readonly hasTime?: () => boolean } = {},
) =>
  release({
    ...publishDeps(bus),
    releases,
    pace,
    hasTime,
    read: (item) => z.safeParse(outboxEvent, item).data,
  });

/** The deferred events that wait. */
async function waiting(): Promise<Record<string, unknown>[]> {
  const items = await everyItem(dynamo, table);
  return items.filter(({ pk }) => String(pk).startsWith('DEFERRED#'));
}

/** Publishes some of the deferred events that wait, as a release does when it has found them. */
const publishWaiting = async (bus: EventBus, count = Number.POSITIVE_INFINITY) =>
  publishEntries(
    (await waiting()).slice(0, count).map((item) => z.parse(unpublishedEntry, item)),
    { ...publishDeps(bus), read: (item) => z.safeParse(outboxEvent, item).data, hasTime: () => true },
  );

it('a deferred event is published when it is released, as it was written, and takes a slot', async () => {
  const entityId = newObjectId(now());
  const ids = [await emit(true, { entityId }), await emit(true, { entityId: newObjectId(now()) })];
  expect(await stream().next()).toEqual([]);
  const written = (await everyItem(dynamo, table)).filter(({ sk }) => String(sk).startsWith('EVENT#'));
  const { pace, slots } = countingPace();
  const { bus, accepted } = recordingBus();
  expect(await releaseAll(bus, { pace })).toMatchObject({ released: 2, failed: 0, isComplete: true });
  expect(slots).toEqual([2]);
  expect(accepted.map(({ eventId }) => eventId)).toEqual(ids);
  const items = await everyItem(dynamo, table);
  expect(items).toEqual(expect.arrayContaining(written));
  // Nothing says any more that they wait.
  expect(items.filter(({ pk, sk }) => `${pk} ${sk}`.includes('DEFERRED#'))).toEqual([]);
});

it('deferred events are published a few at a time, each few in their slot', async () => {
  await deferMany(13);
  const { bus, accepted } = recordingBus();
  const before: number[] = [];
  const pace: Pace = async (count) =>
    Array.from({ length: count }, () => async () => void before.push(accepted.length));
  expect(await releaseAll(bus, { pace })).toMatchObject({ released: 13, failed: 0 });
  expect(before).toEqual([0, 5, 10]);
});

it('a run publishes what is deferred while it is under way, where somebody asks for it', async () => {
  const ids = [await emit(true, { entityId: newObjectId(now()) })];
  const { bus, accepted } = recordingBus();
  const second: EventBus = {
    async put(entries) {
      if (accepted.length === 0) {
        ids.push(await emit(true, { entityId: newObjectId(now()) }));
        await releases.ask(now());
        // Another run leaves it to this one.
        expect(await releaseAll(bus)).toMatchObject({ released: 0 });
      }
      return bus.put(entries);
    },
  };
  expect(await releaseAll(second)).toMatchObject({ released: 2, isComplete: true });
  expect(accepted.map(({ eventId }) => eventId)).toEqual(ids);
});

/** Whether the stream would begin a run now. */
const isAskedFor = async (): Promise<boolean> => {
  const { pk, sk } = outboxKeys.release();
  const item = (await everyItem(dynamo, table)).find((one) => one['pk'] === pk && one['sk'] === sk) ?? {};
  const image = { eventName: 'MODIFY', dynamodb: { Keys: toItem({ pk, sk }), NewImage: toItem(item) } };
  return readEventPattern(releaseAsked)(image);
};

it('many who ask for a run start one, and none while one is under way', async () => {
  expect(await isAskedFor()).toBe(false);
  await releases.ask(now());
  expect(await isAskedFor()).toBe(true);
  const first = await everyItem(dynamo, table);
  await releases.ask(now());
  // Nothing is written, so that the stream tells of nothing.
  expect(await everyItem(dynamo, table)).toEqual(first);
  const run = (await releases.begin(now())) ?? '';
  expect(await isAskedFor()).toBe(false);
  await releases.ask(now());
  expect([await isAskedFor(), await releases.begin(now())]).toEqual([false, undefined]);
  expect(await releases.next(run)).toBe(run);
  expect([await releases.next(run), await isAskedFor()]).toEqual([undefined, false]);
});

it('a run that leaves something is followed by another at once, where somebody has asked meanwhile', async () => {
  const run = (await releases.begin(now())) ?? '';
  await releases.ask(now());
  await releases.stop(run);
  expect(await isAskedFor()).toBe(true);
});

describe('a batch of the stream that tells of a release besides events', () => {
  const done = { answer: { batchItemFailures: [] }, warnings: [] };

  /** Passes events, and between them what tells of the release, to the publisher. */
  async function handle(items: readonly OutboxEvent[], bus: EventBus, some: Partial<HandlerDeps> = {}) {
    const log = recordingLogger();
    const handler = createHandler({
      ...publishDeps(bus),
      releases,
      pace: countingPace().pace,
      log,
      ...some,
    });
    const [first, ...others] = items.map((item) => ({ Keys: item, NewImage: item }));
    const told = { Keys: outboxKeys.release(), NewImage: { ...outboxKeys.release(), wantedAt: '' } };
    const Records = [first, told, ...others].map((change = told, index) => ({
      eventName: 'INSERT' as const,
      dynamodb: {
        SequenceNumber: String(index),
        Keys: toItem({ pk: change.Keys.pk, sk: change.Keys.sk }),
        NewImage: toItem(change.NewImage),
      },
    }));
    const answer = await handler({ Records } as never, { getRemainingTimeInMillis: () => 300_000 });
    return { answer, warnings: log.lines.filter(({ level }) => level !== 'info') };
  }

  it('publishes both, the events first', async () => {
    const deferred = await deferMany(1);
    const live = [await emit(false, { entityId: newObjectId(now()) })];
    live.push(await emit(false, { entityId: newObjectId(now()) }));
    const { bus, accepted } = recordingBus();
    expect(await handle(await stream().next(), bus)).toEqual(done);
    expect(accepted.map(({ eventId }) => eventId)).toEqual([...live, ...deferred]);
  });

  it('does not wait for a release of many, which the schedule goes on with', async () => {
    await deferMany(12);
    const live = await emit(false, { entityId: newObjectId(now()) });
    const { bus, accepted } = recordingBus();
    let isSlow = false;
    const slow = () => new Date(now().getTime() + (isSlow ? askedReleaseMs : 0));
    const pace: Pace = async (count) => {
      isSlow = accepted.length > 5;
      return Array.from({ length: count }, () => async () => undefined);
    };
    expect(await handle(await stream().next(), bus, { now: slow, pace })).toEqual(done);
    expect(accepted.map(({ eventId }) => eventId)).toContain(live);
    expect(await waiting()).toHaveLength(2);
    expect(await releaseAll(bus)).toMatchObject({ released: 2, isComplete: true });
  });

  it('is not repeated for a release that failed', async () => {
    await deferMany(1);
    const live = await emit(false, { entityId: newObjectId(now()) });
    const { bus, accepted } = recordingBus();
    const pace = () => Promise.reject(new Error('throttled'));
    const { answer, warnings } = await handle(await stream().next(), bus, { pace });
    expect(answer).toEqual(done.answer);
    expect(accepted.map(({ eventId }) => eventId)).toEqual([live]);
    expect(warnings).toMatchObject([{ event: 'release_failed', error: new Error('throttled') }]);
    expect(await waiting()).toHaveLength(1);
  });
});

it('a run that broke off holds up the next one until its time is over', async () => {
  const began = now();
  const run = await releases.begin(began);
  expect(await releases.begin(new Date(began.getTime() + releaseMs - 1))).toBeUndefined();
  expect(await releases.begin(new Date(began.getTime() + releaseMs))).not.toBe(run);
});

it('an event of a request does not wait for deferred ones of other records', async () => {
  await deferMany(3);
  const live = await emit(false, { entityId: newObjectId(now()) });
  const { bus, accepted } = recordingBus();
  await publish(await stream().next(), publishDeps(bus));
  expect(accepted.map(({ eventId }) => eventId)).toEqual([live]);
  expect(await waiting()).toHaveLength(3);
});

it('the schedule that publishes what the stream missed leaves deferred events waiting', async () => {
  await emit(true, { entityId: newObjectId(now()) });
  for await (const entries of outbox.unpublished(new Date(Date.now() + 600_000))) expect(entries).toEqual([]);
  expect(await waiting()).toHaveLength(1);
});

it('carriers take turns: a small import does not wait for a large one', async () => {
  // Carriers of one shard, one of 64, wait for each other.
  let small: string;
  do small = newObjectId(new Date(0));
  while (shardOf(small) === shardOf(carrier));
  await deferMany(135);
  const ofSmall = [await emit(true, { entityId: small, owner: small })];
  // A hundred of each carrier at a time: 24 reservations are enough for the small one.
  let chunks = 0;
  const hasTime = () => {
    chunks += 1;
    return chunks <= 24;
  };
  const { bus, accepted } = recordingBus();
  expect(await releaseAll(bus, { hasTime })).toMatchObject({ isComplete: false });
  const released = accepted.map(({ eventId }) => eventId);
  expect(released).toEqual(expect.arrayContaining(ofSmall));
  expect(released.length).toBeLessThan(130);
});

it('an event that an import emits again is refused, also after it was published', async () => {
  const emitted = { entityId: newObjectId(now()), eventId: derivedEventId('agency', 'change') };
  await emit(true, emitted);
  await expect(emit(true, emitted)).rejects.toThrow(EventAlreadyEmitted);
  const { bus, accepted } = recordingBus();
  await releaseAll(bus);
  await expect(emit(true, emitted)).rejects.toThrow(EventAlreadyEmitted);
  await releaseAll(bus);
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
      let left: OutboxEvent[] = [];
      do {
        await publishWaiting(bus).catch(() => undefined);
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
  // Nothing says any more of a published event that it was deferred.
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
      const queue: OutboxEvent[] = [];
      const { bus, accepted } = recordingBus();
      const releaseSome = (count: number) => publishWaiting(bus, count);
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
    runs(6),
  );
});

it('a deferred item that cannot be read holds up no event about its entity', async () => {
  const entityId = newObjectId(now());
  const Item = toItem({ pk: `${carrier}#${entityId}`, sk: 'DEFERRED#1' });
  await dynamo.send(new PutItemCommand({ TableName: table, Item }));
  const eventId = await emit(false, { entityId });
  const { bus, accepted } = recordingBus();
  await publish(await stream().next(), publishDeps(bus));
  expect(accepted).toMatchObject([{ eventId, sequence: 1 }]);
});
