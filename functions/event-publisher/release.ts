import type { OutboxItem, Releases, UnpublishedEntry } from '../../shared/domain/events/stored.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { chunks } from '../../shared/platform/data/grouping.ts';
import type { Pace } from '../../shared/platform/data/pace.ts';
import { type PublishDeps, publish } from './publish.ts';

export interface Republished {
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
  readonly read: (item: unknown) => OutboxItem | undefined;
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
  const isLeft = ({ eventId }: OutboxItem) => failed.has(eventId) || refused.has(eventId);
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

export interface Released {
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
 * Publishes deferred events, at the environment's rate, with all other workers together: the oldest of every shard first, so that no
 * carrier waits for all events of another one's import. A few at a time, because what is published together is in the queues and
 * the workers together, and every other event of that moment waits behind it. It ends when nothing waits, also of what was
 * deferred while it ran, or when its time is over; while another run is under way, it leaves everything to that one.
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
