import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { batchGet } from '../../platform/data/batch-get.ts';
import { collect } from '../../platform/data/collect.ts';
import { itemKey, keyPages } from '../../platform/data/common-keys.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { parseStoredOrError, type StoredItemError } from '../../platform/data/stored.ts';
import { type TransactionItem, transact } from '../../platform/data/transact.ts';
import { EventAlreadyEmitted } from '../events/transaction-items.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
} from '../registry-records/registry-data-subscription.ts';
import type { RegulatoryAction } from '../registry-records/regulatory-action.ts';
import { registryKeys, registryPartitions, subscriptionIdOf } from '../registry-records/stored.ts';
import { subscriptionUpdate } from '../registry-records/subscription-update.ts';
import { amendableOf } from './amendment.ts';
import type { Report } from './reported-actions.ts';

/** What a visit reads and writes besides the records. */
export interface ReconciliationStore {
  /**
   * The subscriptions of an NPN, of organizations of either kind; for one that cannot be read, the error. The index of them
   * lags: the latest may be missing, unless their owners are named.
   */
  subscribersOf(
    npn: string,
    owners: readonly string[],
  ): Promise<readonly (RegistryDataSubscription | StoredItemError)[]>;
  /**
   * The item that records that a subscription is up to date. One that never was, or whose last synchronization failed, is
   * synchronized now; a synchronization that is under way goes on. It counts as a change of the subscription only where
   * records changed, or something else of it than the time of the visit.
   */
  synchronized(subscription: RegistryDataSubscription, isChanged: boolean, at: Date): TransactionItem;
  /**
   * Records that an action was reported, together with further items.
   * @param last what was reported for it before.
   * @returns false when another worker has reported it since it was read.
   */
  report(
    owner: string,
    action: RegulatoryAction,
    last: Report | undefined,
    items: readonly TransactionItem[],
  ): Promise<boolean>;
}

/** Another worker has reported the action since it was read. */
class AlreadyReported extends Error {}

export function createReconciliationStore(client: DynamoDBClient, table: string): ReconciliationStore {
  return {
    async subscribersOf(npn, owners) {
      const partition = {
        index: 'by-npn',
        attribute: 'npnKey',
        value: registryPartitions.subscribersOf(npn),
      };
      const listed = (await collect(keyPages(client, table, partition))).map(itemKey);
      const named = owners.map((owner) => registryKeys.subscription(owner, subscriptionIdOf(owner, npn)));
      // A subscription's id alone identifies it.
      const keys = new Map([...listed, ...named].map((key) => [key.sk, key]));
      const items = await batchGet(client, table, [...keys.values()], { consistent: true });
      return items.map((item) => parseStoredOrError(registryDataSubscription, item));
    },

    synchronized({ dataOwnerId, _id, entityInfo, pdbAlertsSubscriptionStatus }, isChanged, at) {
      const { status } = entityInfo;
      const isDone = status === 'not started' || status === 'failed';
      const change = {
        set: `lastSynchronizationDate = :now, pdbAlertsSubscriptionStatus = :active${
          isDone ? ', entityInfo.#status = :success, entityInfo.message = :none' : ''
        }`,
        condition: 'entityInfo.#status = :status',
        names: { '#status': 'status' },
        values: {
          ':now': at.toISOString(),
          ':active': 'active',
          ':status': status,
          ...(isDone ? { ':success': 'success', ':none': null } : {}),
        },
        isShown: isChanged || isDone || pdbAlertsSubscriptionStatus !== 'active',
      };
      return {
        write: { Update: subscriptionUpdate(table, { dataOwnerId, _id }, change, at) },
        // What is written depends on the subscription as it was read: the visit fails, and its job is done again.
        refused: () => new Error('A synchronization began or ended during the visit.'),
      };
    },

    async report(owner, action, last, items) {
      const refused = () => new AlreadyReported();
      const version = last?.version ?? 0;
      try {
        await transact(client, [
          {
            write: {
              Put: {
                TableName: table,
                Item: toItem({
                  ...registryKeys.reported(owner, action),
                  fields: amendableOf(action),
                  version: version + 1,
                }),
                ...(version === 0
                  ? { ConditionExpression: 'attribute_not_exists(pk)' }
                  : {
                      ConditionExpression: '#version = :version',
                      ExpressionAttributeNames: { '#version': 'version' },
                      ExpressionAttributeValues: toItem({ ':version': version }),
                    }),
              },
            },
            refused,
          },
          ...items,
        ]);
        return true;
      } catch (error) {
        if (error instanceof AlreadyReported || error instanceof EventAlreadyEmitted) return false;
        throw error;
      }
    },
  };
}
