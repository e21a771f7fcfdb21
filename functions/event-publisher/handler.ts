import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent, StreamRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import {
  askedReleaseMs,
  type OutboxItem,
  outboxItem,
  outboxKeys,
  type Releases,
  releaseMs,
} from '../../shared/domain/events/stored.ts';
import { compatible } from '../../shared/platform/contract/object.ts';
import type { Pace } from '../../shared/platform/data/pace.ts';
import { type PublishDeps, publish } from './publish.ts';
import { type Released, type Republished, release, republish } from './release.ts';

export interface HandlerDeps extends PublishDeps {
  readonly releases: Releases;
  /** A slot for each deferred event. */
  readonly pace: Pace;
  /** Called for a run that the stream began and that failed: the schedule does what it left. */
  readonly onReleaseFailed: (error: unknown) => void;
  /** Called with what a run released, if it found anything. */
  readonly onReleased: (done: Released) => void;
  /** Called when deferred events have waited for longer than an import explains. */
  readonly onDeferredLate: (done: Released) => void;
  /** Called for an outbox item that is no event, with the paths at which it breaks the schema. */
  readonly onUnreadable: (faults: readonly string[]) => void;
  /** Called with what the stream missed, if it missed anything. */
  readonly onRepublished: (done: Republished) => void;
  /** Called at the end of each run, also of one without an event. */
  readonly onDone: (run: PublisherRun) => void;
}

/** What a run did. */
export interface PublisherRun {
  readonly trigger: 'stream' | 'schedule';
  readonly published: number;
  /** Events that are worth a retry. */
  readonly failed: number;
  /** Events that the bus can't accept as they are. */
  readonly refused: number;
}

/** Unpublished events older than this were missed by the stream. */
export const missedAfterMs = 5 * 60_000;

/** Time reserved for calls under way when no more are started: those of a hundred events, each with a retry. */
const reserved = 60_000;

/** Deferred events older than this are late: until then some 360,000 of them are released. */
export const deferredLateAfterMs = 2 * 3_600_000;

/** The schedules' invocations: publish what the stream has missed, or deferred events. */
const scheduledTask = compatible(
  'schedules/event-publisher',
  z.object({ task: z.enum(['republish', 'release']) }),
);

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
    /** A retry would not help an item that cannot be parsed: it is reported, and stays in the outbox. */
    const read = (item: unknown): OutboxItem | undefined => {
      const result = z.safeParse(outboxItem, item);
      if (result.success) return result.data;
      deps.onUnreadable(result.error.issues.map(({ path, code }) => `${path.join('.')} (${code})`));
      return undefined;
    };

    const releaseDeferred = async (forMs: number): Promise<Released> => {
      const endsAt = deps.now().getTime() + forMs;
      const done = await release({ ...deps, read, hasTime: () => deps.now().getTime() < endsAt });
      if (done.released + done.failed > 0) deps.onReleased(done);
      if (done.oldestSeconds * 1_000 > deferredLateAfterMs) deps.onDeferredLate(done);
      return done;
    };

    if ('task' in event && event.task === 'release') return await releaseDeferred(releaseMs);
    if ('task' in event) {
      const done = await republish({
        ...deps,
        before: new Date(deps.now().getTime() - missedAfterMs),
        read,
        hasTime: () => getRemainingTimeInMillis() > reserved,
      });
      if (done.republished + done.failed > 0) deps.onRepublished(done);
      const { republished: published, failed, refused } = done;
      deps.onDone({ trigger: 'schedule', published, failed, refused });
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
    deps.onDone({ trigger: 'stream', published, failed: failed.size, refused: refused.size });
    if (changes.length < event.Records.length) {
      await releaseDeferred(askedReleaseMs).catch(deps.onReleaseFailed);
    }
    const first = records.find(({ item }) => failed.has(item.eventId));
    return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first.sequenceNumber }] };
  };
