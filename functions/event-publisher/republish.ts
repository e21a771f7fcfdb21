import type { OutboxItem } from '../../shared/domain/events/stored.ts';
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

interface RepublishDeps extends PublishDeps {
  /** Only events written before then were missed; newer ones are still on their way. */
  readonly before: Date;
  /** Parses a stored item; undefined for one that is no event, which must not hold the others back. */
  readonly read: (item: unknown) => OutboxItem | undefined;
  /** Whether there is time to publish more. */
  readonly hasTime: () => boolean;
}

/**
 * Publishes the unpublished events: the oldest of every shard first, in the order in which they were written, so that
 * a run that ends early favors no shard and the next one continues where it ended.
 */
export async function republish(deps: RepublishDeps): Promise<Republished> {
  const { outbox, before, read, hasTime } = deps;
  const done = { republished: 0, failed: 0, refused: 0 };
  for await (const keys of outbox.unpublished(before)) {
    for (const chunk of chunks(keys, { count: batchGetKeys })) {
      if (!hasTime()) return { ...done, isComplete: false };
      const events = (await outbox.findUnpublished(chunk)).flatMap((item) => read(item) ?? []);
      const { failed, refused } = await publish(events, deps);
      const isLeft = ({ eventId }: OutboxItem) => failed.has(eventId) || refused.has(eventId);
      done.republished += events.filter((event) => !isLeft(event)).length;
      done.failed += failed.size;
      done.refused += refused.size;
    }
  }
  return { ...done, isComplete: true };
}
