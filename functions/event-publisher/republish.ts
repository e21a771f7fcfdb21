import type { OutboxItem, UnpublishedEntry } from '../../shared/domain/events/stored.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
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

export interface ScheduledDeps extends PublishDeps {
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
