import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { batchGetKeys } from '../../shared/aws/limits.ts';
import { chunks } from '../../shared/data/chunks.ts';
import { concurrently } from '../../shared/data/concurrently.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { queryPages } from '../../shared/data/query-pages.ts';
import { itemKey, parseStored } from '../../shared/data/stored.ts';
import type { Log } from '../../shared/log/log.ts';
import {
  lookKey,
  lookShards,
  type WebhookReference,
  webhookOfDrain,
} from '../../shared/webhooks/drain-item.ts';
import type { Waker } from '../../shared/webhooks/wake.ts';

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
