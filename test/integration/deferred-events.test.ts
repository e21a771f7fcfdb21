import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createHandler, type HandlerDeps } from '../../functions/event-publisher/handler.ts';
import { type EventBus, publish } from '../../functions/event-publisher/publish.ts';
import { readEventPattern } from '../../infra/local/triggers/event-bus.ts';
import {
  askedReleaseMs,
  derivedEventId,
  type OutboxEvent,
  outboxKeys,
  releaseAsked,
  releaseMs,
  shardOf,
} from '../../shared/domain/events/stored.ts';
import { EventAlreadyEmitted } from '../../shared/domain/events/transaction-items.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import type { Pace } from '../../shared/platform/data/pace.ts';
import {
  carrier,
  countingPace,
  deferMany,
  emit,
  now,
  outbox,
  publishDeps,
  recordingBus,
  releaseAll,
  releases,
  stream,
  table,
  waiting,
} from '../support/deferred-events-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { dynamo } from '../support/tables.ts';

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

it('a deferred item that cannot be read holds up no event about its entity', async () => {
  const entityId = newObjectId(now());
  const Item = toItem({ pk: `${carrier}#${entityId}`, sk: 'DEFERRED#1' });
  await dynamo.send(new PutItemCommand({ TableName: table, Item }));
  const eventId = await emit(false, { entityId });
  const { bus, accepted } = recordingBus();
  await publish(await stream().next(), publishDeps(bus));
  expect(accepted).toMatchObject([{ eventId, sequence: 1 }]);
});
