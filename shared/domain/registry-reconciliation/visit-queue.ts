import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { batchGet } from '../../platform/data/batch-get.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { queryPages } from '../../platform/data/query-pages.ts';
import { parseStoredOrError, type StoredItemError } from '../../platform/data/stored.ts';
import { npn } from '../identifiers/npn.ts';
import { registryDataSubscription } from '../registry-records/registry-data-subscription.ts';
import { registryKeys, shards, subscriptionShard, visitShard } from '../registry-records/stored.ts';
import { ensureSubscriptions, registerSubscription } from '../registry-records/subscriptions.ts';
import type { FirstVisit } from '../registry-records/visit-items.ts';

const olderSubscription = compatible(
  'registry-records/older-subscription',
  lazyObject(() => z.pick(registryDataSubscription, { _id: true, dataOwnerId: true, npn: true }).shape),
);

const firstVisit = compatible(
  'registry-records/first-visit',
  lazyObject(() => ({
    npn,
    owner: z.pick(registryDataSubscription, { dataOwnerId: true, dataOwnerModel: true }),
    entityModel: z.enum(['agent', 'downstreamEntity']),
    isQuiet: z.boolean(),
  })),
);

/** What waits to be visited for the first time. */
export interface VisitQueue {
  /**
   * Subscriptions of an earlier version of the service, whose NPNs are not visited yet, page by page; for one that cannot
   * be read, the error.
   */
  olderSubscriptions(): AsyncIterable<readonly (z.output<typeof olderSubscription> | StoredItemError)[]>;
  /** Has the NPN of an older subscription visited. */
  register(subscription: z.output<typeof olderSubscription>): Promise<void>;
  /** First visits that are due, page by page; for one that cannot be read, the error. */
  firstVisits(): AsyncIterable<readonly (FirstVisit | StoredItemError)[]>;
  /** Creates the subscription of who came in, where there is none. */
  subscribe(visit: FirstVisit): Promise<void>;
  /** Forgets a first visit, once its job is queued. */
  forget(visit: FirstVisit): Promise<void>;
}

export function createVisitQueue(client: DynamoDBClient, table: string, now: () => Date): VisitQueue {
  /** The items of an index partition of each shard, read from the table. */
  async function* itemsOf(
    index: Readonly<{ name: string; key: string; partition: (shard: number) => string }>,
  ): AsyncGenerator<Record<string, unknown>[]> {
    for (let shard = 0; shard < shards; shard += 1) {
      const query = {
        TableName: table,
        IndexName: index.name,
        KeyConditionExpression: '#key = :partition',
        ExpressionAttributeNames: { '#key': index.key },
        ExpressionAttributeValues: toItem({ ':partition': index.partition(shard) }),
      };
      for await (const items of queryPages(client, query)) {
        if (items.length === 0) continue;
        const keys = items.map(({ pk, sk }) => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' }));
        yield batchGet(client, table, keys, { consistent: true });
      }
    }
  }

  return {
    async *olderSubscriptions() {
      const index = { name: 'by-shard', key: 'shardKey', partition: subscriptionShard };
      for await (const items of itemsOf(index)) {
        yield items.map((item) => parseStoredOrError(olderSubscription, item));
      }
    },

    register: (subscription) => registerSubscription(client, table, subscription, now()),

    async *firstVisits() {
      const partition = (shard: number) => visitShard('FIRST', shard);
      for await (const items of itemsOf({ name: 'by-visit', key: 'visitKey', partition })) {
        yield items.map((item) => parseStoredOrError(firstVisit, item));
      }
    },

    subscribe: ({ npn, owner, ...use }) => ensureSubscriptions(client, table, owner, [npn], use, now()),

    async forget({ npn, owner }) {
      const Key = toItem(registryKeys.firstVisit(npn, owner.dataOwnerId));
      await client.send(new DeleteItemCommand({ TableName: table, Key }));
    },
  };
}
