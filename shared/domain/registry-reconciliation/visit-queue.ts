import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { compatible } from '../../platform/contract/compatible.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { batchGet } from '../../platform/data/batch-get.ts';
import { itemKey, keyPages } from '../../platform/data/common-keys.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { parseStoredOrError, type StoredItemError } from '../../platform/data/stored.ts';
import { npn } from '../identifiers/npn.ts';
import { registryDataSubscription } from '../registry-records/registry-data-subscription.ts';
import { registryKeys, shards, visitShard } from '../registry-records/stored.ts';
import { ensureSubscriptions } from '../registry-records/subscriptions.ts';
import type { FirstVisit } from '../registry-records/visit-items.ts';

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
  /** First visits that are due, page by page; for one that cannot be read, the error. */
  firstVisits(): AsyncIterable<readonly (FirstVisit | StoredItemError)[]>;
  /** Creates the subscription of who came in, where there is none. */
  subscribe(visit: FirstVisit): Promise<void>;
  /** Forgets a first visit, once its job is queued. */
  forget(visit: FirstVisit): Promise<void>;
}

export function createVisitQueue(client: DynamoDBClient, table: string, now: () => Date): VisitQueue {
  return {
    async *firstVisits() {
      for (let shard = 0; shard < shards; shard += 1) {
        const partition = { index: 'by-visit', attribute: 'visitKey', value: visitShard('FIRST', shard) };
        for await (const keys of keyPages(client, table, partition)) {
          if (keys.length === 0) continue;
          const items = await batchGet(client, table, keys.map(itemKey), { consistent: true });
          yield items.map((item) => parseStoredOrError(firstVisit, item));
        }
      }
    },

    subscribe: ({ npn, owner, ...use }) => ensureSubscriptions(client, table, owner, [npn], use, now()),

    async forget({ npn, owner }) {
      const Key = toItem(registryKeys.firstVisit(npn, owner.dataOwnerId));
      await client.send(new DeleteItemCommand({ TableName: table, Key }));
    },
  };
}
