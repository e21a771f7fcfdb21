import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent, StreamRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import {
  askedReleaseMs,
  type OutboxEvent,
  outboxEvent,
  outboxKeys,
  type Releases,
  releaseMs,
  type UnpublishedEntry,
} from '../../shared/domain/events/stored.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import type { Pace } from '../../shared/platform/data/pace.ts';
import { parseStoredOrError, StoredItemError } from '../../shared/platform/data/stored.ts';
import { toError } from '../../shared/platform/log/log.ts';
import { type PublishDeps, publish } from './publish.ts';

export interface HandlerDeps extends PublishDeps {
  readonly releases: Releases;
  /** A slot for each deferred event. */
  readonly pace: Pace;
}

/** Unpublished events older than this were missed by the stream. */
export const missedAfterMs = 5 * 60_000;

/** Time reserved for calls under way when no more are started: those of a hundred events, each with a retry. */
const reserved = 60_000;

/** Deferred events older than this are late: until then some 360,000 of them are released. */
export const deferredLateAfterMs = 2 * 3_600_000;

/** The schedules' invocations: publish what the stream has missed, or deferred events. */
const scheduledTask = z.object({ task: z.enum(['republish', 'release']) });

/** Whether a record tells that somebody asks for a release, and not of an event. */
const isRelease = (change: StreamRecord | undefined): boolean =>
  change?.Keys?.['sk']?.S === outboxKeys.release().sk;

/** The part of Lambda's context that is used. */
interface Invocation {
  readonly getRemainingTimeInMillis: () => number;
}

/**
 * Publishes the records of the outbox's stream and, called by its schedules, the events that the stream missed; deferred events,
 * called by a schedule or when the stream tells that somebody asks for it. Of a batch of the stream the first event that failed
 * is reported: the stream continues there. An event that the bus can't accept as it is is not reported: the stream, and with it
 * all other events, would wait for it in vain. Nor is a release that failed, which the schedule repeats.
 */
export const createHandler =
  (deps: HandlerDeps) =>
  async (
    event: DynamoDBStreamEvent | z.output<typeof scheduledTask>,
    { getRemainingTimeInMillis }: Invocation,
  ): Promise<DynamoDBBatchResponse | Republished | Released> => {
    const { log } = deps;

    /** A retry would not help an item that cannot be parsed: it is reported, and stays in the outbox. */
    const read = (item: unknown): OutboxEvent | undefined => {
      const event = parseStoredOrError(outboxEvent, item);
      if (!(event instanceof StoredItemError)) return event;
      log.error('An item of the outbox cannot be read.', { event: 'event_not_published', error: event });
      return undefined;
    };

    const releaseDeferred = async (forMs: number): Promise<Released> => {
      const endsAt = deps.now().getTime() + forMs;
      const done = await release({ ...deps, read, hasTime: () => deps.now().getTime() < endsAt });
      if (done.released + done.failed > 0) {
        log.info('Deferred events were released.', { event: 'deferred_events_released', ...done });
      }
      if (done.oldestSeconds * 1_000 > deferredLateAfterMs) {
        log.warn('Deferred events have waited too long.', { event: 'deferred_events_late', ...done });
      }
      return done;
    };

    const logRun = (
      trigger: 'stream' | 'schedule',
      run: { readonly published: number; readonly failed: number; readonly refused: number },
    ): void => log.info('A run of the publisher is done.', { event: 'events_published', trigger, ...run });

    if ('task' in event && event.task === 'release') return await releaseDeferred(releaseMs);
    if ('task' in event) {
      const done = await republish({
        ...deps,
        before: new Date(deps.now().getTime() - missedAfterMs),
        read,
        hasTime: () => getRemainingTimeInMillis() > reserved,
      });
      if (done.republished + done.failed > 0) {
        log.warn('Events that the stream missed were published.', { event: 'events_republished', ...done });
      }
      const { republished: published, failed, refused } = done;
      logRun('schedule', { published, failed, refused });
      return done;
    }
    const changes = event.Records.filter(({ dynamodb }) => !isRelease(dynamodb));
    const records = changes.flatMap(({ dynamodb }) => {
      const image = dynamodb?.NewImage as Record<string, AttributeValue> | undefined;
      const item = image && read(unmarshall(image));
      return item === undefined ? [] : [{ item, sequenceNumber: dynamodb?.SequenceNumber ?? '' }];
    });
    const { failed, refused } = await publish(
      records.map(({ item }) => item),
      deps,
    );
    const published = records.filter(
      ({ item: { eventId } }) => !failed.has(eventId) && !refused.has(eventId),
    ).length;
    logRun('stream', { published, failed: failed.size, refused: refused.size });
    if (changes.length < event.Records.length) {
      await releaseDeferred(askedReleaseMs).catch((error: unknown) =>
        log.warn('Deferred events wait for the schedule.', {
          event: 'release_failed',
          error: toError(error),
        }),
      );
    }
    const first = records.find(({ item }) => failed.has(item.eventId));
    return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first.sequenceNumber }] };
  };

interface Republished {
  readonly republished: number;
  /** Events that are worth a retry. */
  readonly failed: number;
  /** Events that the bus can't accept as they are. */
  readonly refused: number;
  /** Whether there was time for all unpublished events. */
  readonly isComplete: boolean;
}

interface ScheduledDeps extends PublishDeps {
  /** Parses a stored item; undefined for one that is no event, which must not hold the others back. */
  readonly read: (item: unknown) => OutboxEvent | undefined;
  /** Whether there is time to publish more. */
  readonly hasTime: () => boolean;
}

interface RepublishDeps extends ScheduledDeps {
  /** Only events written before then were missed; newer ones are still on their way. */
  readonly before: Date;
}

/** Publishes the events of entries; answers how many of them are published, and how many are not. */
export async function publishEntries(entries: readonly UnpublishedEntry[], deps: ScheduledDeps) {
  const events = (await deps.outbox.find(entries)).flatMap((item) => deps.read(item) ?? []);
  const { failed, refused } = await publish(events, deps);
  const isLeft = ({ eventId }: OutboxEvent) => failed.has(eventId) || refused.has(eventId);
  const published = events.filter((event) => !isLeft(event)).length;
  return { published, failed: failed.size, refused: refused.size };
}

/**
 * Publishes the unpublished events: the oldest of every shard first, in the order in which they were written, so that
 * a run that ends early favors no shard and the next one continues where it ended.
 */
export async function republish(deps: RepublishDeps): Promise<Republished> {
  const done = { republished: 0, failed: 0, refused: 0 };
  for await (const entries of deps.outbox.unpublished(deps.before)) {
    for (const chunk of chunks(entries, { count: batchGetKeys })) {
      if (!deps.hasTime()) return { ...done, isComplete: false };
      const { published, failed, refused } = await publishEntries(chunk, deps);
      done.republished += published;
      done.failed += failed;
      done.refused += refused;
    }
  }
  return { ...done, isComplete: true };
}

interface Released {
  readonly released: number;
  /** Events that were not published; they still wait. */
  readonly failed: number;
  /** How long the oldest event had waited when the run found it. */
  readonly oldestSeconds: number;
  /** Whether the run got to every event that waited; not one that left them to another run. */
  readonly isComplete: boolean;
}

interface ReleaseDeps extends ScheduledDeps {
  readonly releases: Releases;
  /** A slot for each event. */
  readonly pace: Pace;
}

/** Events that are published at once, in the first one's slot: a tenth of a second's at fifty a second. */
const releasedAtOnce = 5;

/**
 * Publishes deferred events, at the environment's rate, with all other workers together: the oldest of every shard first, so that
 * no carrier waits for all events of another one's import. A few at a time, because what is published together is in the queues and
 * the workers together, and every other event of that moment waits behind it. It ends when nothing waits, also of what was deferred
 * while it ran, or when its time is over; while another run is under way, it leaves everything to that one.
 */
export async function release(deps: ReleaseDeps): Promise<Released> {
  const { outbox, releases, pace, now, hasTime } = deps;
  const done = { released: 0, failed: 0, oldestSeconds: 0 };

  /** Publishes what waits now; answers whether there was time for all of it. */
  async function releaseWaiting(): Promise<boolean> {
    const beganAt = now();
    for await (const entries of outbox.deferred(beganAt)) {
      const oldestMs = beganAt.getTime() - Date.parse(entries[0]?.occurredAt ?? '');
      done.oldestSeconds = Math.max(done.oldestSeconds, Math.round(oldestMs / 1_000));
      for (const chunk of chunks(entries, { count: releasedAtOnce })) {
        if (!hasTime()) return false;
        const [slot] = await pace(chunk.length);
        await slot?.();
        const { published, failed, refused } = await publishEntries(chunk, deps);
        done.released += published;
        done.failed += failed + refused;
      }
    }
    return true;
  }

  let isComplete = false;
  for (let run = await releases.begin(now()); run !== undefined; run = await releases.next(run)) {
    isComplete = await releaseWaiting();
    if (!isComplete) {
      await releases.stop(run);
      break;
    }
  }
  return { ...done, isComplete: isComplete && done.failed === 0 };
}
