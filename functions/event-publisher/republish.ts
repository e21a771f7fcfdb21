import { batchGetKeys } from '../../shared/aws/limits.ts';
import { chunks } from '../../shared/data/chunks.ts';
import type { OutboxItem } from '../../shared/events/stored.ts';
import { type PublishDeps, publish } from './publish.ts';

export interface Republished {
  readonly republished: number;
  /** Events that are worth another attempt. */
  readonly failed: number;
  /** Events that the bus can't take as they are. */
  readonly refused: number;
  /** Whether there was time for all that was waiting. */
  readonly isComplete: boolean;
}

interface RepublishDeps extends PublishDeps {
  /** Only what was written before then was missed; what is newer is still on its way. */
  readonly before: Date;
  /** The event that a stored item is; undefined for one that is none, which must not keep the others back. */
  readonly read: (item: unknown) => OutboxItem | undefined;
  /** Whether there is time to publish some more. */
  readonly hasTime: () => boolean;
}

/**
 * Publishes what the bus has not taken: the oldest of every shard first, in the order in which they were written, so that
 * a run that ends early has favored no shard and the next one goes on where it ended.
 */
export async function republish(deps: RepublishDeps): Promise<Republished> {
  const { outbox, before, read, hasTime } = deps;
  const done = { republished: 0, failed: 0, refused: 0 };
  for await (const keys of outbox.unpublished(before)) {
    for (const some of chunks(keys, { count: batchGetKeys })) {
      if (!hasTime()) return { ...done, isComplete: false };
      const events = (await outbox.waiting(some)).flatMap((item) => read(item) ?? []);
      const { failed, refused } = await publish(events, deps);
      done.republished += events.length - failed.size - refused.size;
      done.failed += failed.size;
      done.refused += refused.size;
    }
  }
  return { ...done, isComplete: true };
}
