import { setTimeout as pause } from 'node:timers/promises';
import { deferredPrefix, eventPrefix } from '../../shared/domain/events/stored.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import type { Pace } from '../../shared/platform/data/pace.ts';
import type { DeferredStore } from './deferred-store.ts';
import type { OutboxKey } from './oldest-keys.ts';
import type { OutboxStore } from './outbox-store.ts';

export interface Released {
  readonly released: number;
  /** Events that were not released; they still wait. */
  readonly failed: number;
  /** How long the oldest event had waited when the run began. */
  readonly oldestSeconds: number;
  /** Whether the run got to every event that waited. */
  readonly isComplete: boolean;
}

interface ReleaseDeps {
  readonly deferred: Pick<DeferredStore, 'waiting' | 'release'>;
  readonly outbox: Pick<OutboxStore, 'findUnpublished'>;
  /** A slot for each event. */
  readonly pace: Pace;
  readonly now: () => Date;
  /** Whether there is time to release more. */
  readonly hasTime: () => boolean;
  /** Waits some milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Called for each failure; the event still waits. */
  readonly onNotReleased: (error: unknown) => void;
}

/** Events whose slots are reserved at once: a fifth of a second's at fifty a second. */
const reservedAtOnce = 10;

/** Events after which a run checks once more for what was deferred meanwhile. */
const many = 25;

/** How often a run checks whether the stream has published what it released, and how many times at most. */
const checkEveryMs = 250;
const checks = 20;

/** Events released at the same time. */
const concurrency = 8;

/**
 * Releases deferred events, each in its slot, at the environment's rate whoever else releases some: the oldest of every shard
 * first, so that no carrier waits for all events of another one's import. One by one, because what is released together is in
 * the stream, the queues, and the workers together, and every other event of that moment waits behind it. Where the stream is
 * slower than the rate, it waits for the stream, so that a few deferred events at most are ahead of any other. It ends when
 * nothing waits, or when its time is over.
 */
export async function release({
  deferred,
  outbox,
  pace,
  now,
  hasTime,
  wait = pause,
  onNotReleased,
}: ReleaseDeps): Promise<Released> {
  const done = { released: 0, failed: 0, oldestSeconds: 0 };
  let last: readonly OutboxKey[] = [];
  /** What was released before that, for which the stream has had a moment. */
  let beforeLast: readonly OutboxKey[] = [];

  /** Waits until events are published, but not for ever: the bus may refuse one. */
  async function untilPublished(released: readonly OutboxKey[]): Promise<void> {
    const keys = released.map(({ sk, ...key }) => ({ ...key, sk: sk.replace(deferredPrefix, eventPrefix) }));
    for (let check = 0; check < checks && (await outbox.findUnpublished(keys)).length > 0; check += 1) {
      await wait(checkEveryMs);
    }
  }

  /** Releases what waits now; answers whether there was time for all of it. */
  async function releaseWaiting(): Promise<boolean> {
    const beganAt = now();
    for await (const keys of deferred.waiting(beganAt)) {
      const oldestMs = beganAt.getTime() - Date.parse(keys[0]?.createdAt ?? '');
      done.oldestSeconds = Math.max(done.oldestSeconds, Math.round(oldestMs / 1_000));
      for (const chunk of chunks(keys, { count: reservedAtOnce })) {
        if (!hasTime()) return false;
        // Before the slots are reserved: those that pass meanwhile would become a burst.
        await untilPublished(beforeLast);
        const events = await outbox.findUnpublished(chunk);
        const slots = await pace(events.length);
        [beforeLast, last] = [last, chunk];
        await concurrently(events.entries(), concurrency, async ([index, event]) => {
          try {
            await slots[index]?.();
            await deferred.release(event, now());
            done.released += 1;
          } catch (error) {
            done.failed += 1;
            onNotReleased(error);
          }
        });
      }
    }
    return true;
  }

  let before: number;
  do {
    before = done.released;
    if (!(await releaseWaiting())) return { ...done, isComplete: false };
    // An import that is under way has written more meanwhile. What failed is left to the next run.
  } while (done.released - before > many && done.failed === 0);
  return { ...done, isComplete: done.failed === 0 };
}
