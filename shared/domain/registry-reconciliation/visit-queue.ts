import { DeleteItemCommand, type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { timestamp } from '../../platform/contract/primitives.ts';
import { batchGet } from '../../platform/data/batch-get.ts';
import { itemKey, keyPages } from '../../platform/data/common-keys.ts';
import { conditionHeld } from '../../platform/data/condition-held.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import {
  parseStored,
  parseStoredOrError,
  type StoredItemError,
  storedItem,
} from '../../platform/data/stored.ts';
import { npn } from '../identifiers/npn.ts';
import { registryDataSubscription } from '../registry-records/registry-data-subscription.ts';
import { registryKeys, shards, visitShard } from '../registry-records/stored.ts';
import { ensureSubscriptions } from '../registry-records/subscriptions.ts';
import type { FirstVisit } from '../registry-records/visit-items.ts';
import type { Newcomer } from './jobs.ts';

const firstVisit = storedItem('registry-records/first-visit', () => ({
  npn,
  owner: z.pick(registryDataSubscription, { dataOwnerId: true, dataOwnerModel: true }),
  entityModel: z.enum(['agent', 'downstreamEntity']),
  isQuiet: z.boolean(),
  /** When it was stored last. */
  since: timestamp,
}));

type DueVisit = z.output<typeof firstVisit>;

/** How long a first visit is with its job before another job is queued for it: longer than the queue tries. */
const queuedForMs = 60 * 60_000;

/** What waits to be visited for the first time. */
export interface VisitQueue {
  /** First visits that are due, page by page; for one that cannot be read, the error. */
  firstVisits(): AsyncIterable<readonly (DueVisit | StoredItemError)[]>;
  /** Creates the subscription of who came in, where there is none. */
  subscribe(visit: FirstVisit): Promise<void>;
  /** Records that a first visit's job is queued: it is due again after a while, unless the job is done. */
  queued(visit: Newcomer): Promise<void>;
  /** Those of some first visits that are still to be made, as they are named. */
  waiting(visits: readonly Newcomer[]): Promise<readonly Newcomer[]>;
  /** Forgets a first visit that was made, unless it has become due once more. */
  forget(visit: Newcomer): Promise<void>;
}

const keyOf = ({ npn, owner }: Newcomer) => registryKeys.firstVisit(npn, owner);

export function createVisitQueue(client: DynamoDBClient, table: string, now: () => Date): VisitQueue {
  const asNamed = (visit: Newcomer) => ({
    TableName: table,
    Key: toItem(keyOf(visit)),
    ConditionExpression: 'since = :since',
  });

  return {
    async *firstVisits() {
      const time = now().toISOString();
      for (let shard = 0; shard < shards; shard += 1) {
        const value = visitShard('FIRST', shard);
        const partition = { index: 'by-visit', attribute: 'visitKey', value, sort: 'visitSort' };
        for await (const keys of keyPages(client, table, partition)) {
          const due = keys.filter(({ sort }) => sort <= time);
          if (due.length === 0) break;
          const items = await batchGet(client, table, due.map(itemKey), { consistent: true });
          yield items.map((item) => parseStoredOrError(firstVisit, item));
        }
      }
    },

    subscribe: ({ npn, owner, entityModel }) =>
      ensureSubscriptions(client, table, owner, [npn], { entityModel }, now()),

    async queued(visit) {
      const again = new Date(now().getTime() + queuedForMs).toISOString();
      const update = new UpdateItemCommand({
        ...asNamed(visit),
        UpdateExpression: 'SET visitSort = :again',
        ExpressionAttributeValues: toItem({ ':since': visit.since, ':again': again }),
      });
      await conditionHeld(client.send(update));
    },

    async waiting(visits) {
      const items = await batchGet(client, table, visits.map(keyOf), { consistent: true });
      const stored = new Set(
        items
          .map((item) => parseStored(firstVisit, item))
          .map(({ npn, owner, since }) => JSON.stringify([npn, owner.dataOwnerId, since])),
      );
      return visits.filter(({ npn, owner, since }) => stored.has(JSON.stringify([npn, owner, since])));
    },

    async forget(visit) {
      const ExpressionAttributeValues = toItem({ ':since': visit.since });
      await conditionHeld(
        client.send(new DeleteItemCommand({ ...asNamed(visit), ExpressionAttributeValues })),
      );
    },
  };
}
