import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  lookKey,
  lookShards,
  type WebhookReference,
  webhookOfDrain,
} from '../../shared/domain/webhooks/drain-item.ts';
import type { Waker } from '../../shared/domain/webhooks/wake.ts';
import { batchGetKeys } from '../../shared/platform/aws/limits.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { queryPages } from '../../shared/platform/data/query-pages.ts';
import { itemKey, parseStored } from '../../shared/platform/data/stored.ts';
import type { Log } from '../../shared/platform/log/log.ts';

/** The schedule's invocation. */
export interface WakeOverdueTask {
  readonly task: 'wake-overdue';
}

/** Finds webhooks at which nobody looked in time. */
export interface OverdueWebhooks {
  /** Those of all shards whose `nextLookAt` has come, some at a time; the index may lag behind. */
  overdue(now: Date): AsyncIterable<WebhookReference[]>;
}

/** Shards that are read at once. */
const shardsAtOnce = 16;

export const createOverdueWebhooks = (client: DynamoDBClient, table: string): OverdueWebhooks => ({
  async *overdue(now) {
    const shards = Array.from({ length: lookShards }, (_, shard) => lookKey(shard));
    for (const some of chunks(shards, { count: shardsAtOnce })) {
      const found: WebhookReference[] = [];
      await concurrently(some, shardsAtOnce, async (shard) => {
        const query = {
          TableName: table,
          IndexName: 'by-look',
          KeyConditionExpression: 'lookKey = :shard AND nextLookAt <= :now',
          ExpressionAttributeValues: toItem({ ':shard': shard, ':now': now.toISOString() }),
        };
        for await (const items of queryPages(client, query)) {
          found.push(...items.map((item) => webhookOfDrain(parseStored(itemKey, unmarshall(item)))));
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

/** Wakes every webhook whose next look is due: retries, and whatever a crash left behind. */
export async function wakeOverdue({
  webhooks,
  waker,
  now,
  log,
}: WakeOverdueDeps): Promise<{ readonly woken: number }> {
  let woken = 0;
  for await (const some of webhooks.overdue(now())) woken += await waker.wakeOverdue(some);
  if (woken > 0) log.info('Looks at webhooks were due.', { event: 'webhooks_overdue', woken });
  return { woken };
}
