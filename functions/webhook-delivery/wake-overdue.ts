import {
  nextDrainKey,
  nextDrainShards,
  type Waker,
  type WebhookReference,
  webhookOfDrain,
} from '../../shared/domain/webhooks/drain.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { atMost } from '../../shared/platform/data/expressions.ts';
import { chunks } from '../../shared/platform/data/grouping.ts';
import { itemKey } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import type { Log } from '../../shared/platform/log/log.ts';

/** The schedule's invocation. */
export interface WakeOverdueTask {
  readonly task: 'wake-overdue';
}

/** Finds webhooks that nobody drained in time. */
export type OverdueWebhooks = ReturnType<typeof createOverdueWebhooks>;

/** Shards that are read at once. */
const shardsAtOnce = 16;

export const createOverdueWebhooks = (webhooks: Table<'by-next-drain'>) => ({
  /** Those of all shards whose `nextDrainAt` has come, some at a time; the index may lag behind. */
  async *overdue(now: Date): AsyncIterable<WebhookReference[]> {
    const shards = Array.from({ length: nextDrainShards }, (_, shard) => nextDrainKey(shard));
    for (const some of chunks(shards, { count: shardsAtOnce })) {
      const found: WebhookReference[] = [];
      await concurrently(some, shardsAtOnce, async (shard) => {
        const due = { index: 'by-next-drain', sort: atMost(now.toISOString()) } as const;
        for await (const keys of webhooks.query(itemKey, shard, due)) {
          found.push(...keys.map(webhookOfDrain));
        }
      });
      yield* chunks(found, { count: batchGetKeys });
    }
  },
});

interface WakeOverdueDeps {
  readonly webhooks: OverdueWebhooks;
  readonly waker: Waker;
  readonly now: () => Date;
  readonly log: Log;
}

/** Wakes every webhook whose next drain is due: retries, and whatever a crash left behind. */
export async function wakeOverdue({
  webhooks,
  waker,
  now,
  log,
}: WakeOverdueDeps): Promise<{ readonly woken: number }> {
  let woken = 0;
  for await (const some of webhooks.overdue(now())) woken += await waker.wakeOverdue(some);
  if (woken > 0) log.info('Drains of webhooks were due.', { event: 'webhooks_overdue', woken });
  return { woken };
}
