import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { batchGet } from '../data/batch-get.ts';
import { toItem } from '../data/dynamo.ts';
import { queryPages } from '../data/query-pages.ts';
import { parseStored, parseStoredOrError, type StoredItemError } from '../data/stored.ts';
import { type TransactionItem, transact } from '../data/transact.ts';
import { EventAlreadyEmitted } from '../events/transaction-items.ts';
import {
  actionItem,
  ownerOfPartition,
  registryKeys,
  shards,
  subscriptionShard,
} from '../registry-records/stored.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
} from '../resources/registry-data-subscription.ts';
import { amendableFields, type RegulatoryAction, regulatoryAction } from '../resources/regulatory-action.ts';
import { type AmendableFields, amendableOf } from './amendment.ts';
import type { ReconciledSubscription } from './jobs.ts';

/** What was last reported for an action. */
export interface Report {
  /** Rises by one with each report. */
  readonly version: number;
  /** Undefined where it cannot be read. */
  readonly fields: AmendableFields | undefined;
}

/** An action as it is stored, and what was last reported for it. */
export interface HeldAction {
  readonly action: RegulatoryAction | undefined;
  readonly report: Report | undefined;
}

/** What the registry reconciliation reads and writes. */
export interface ReconciliationStore {
  /** Every subscription of every carrier, page by page. */
  subscriptions(): AsyncIterable<readonly ReconciledSubscription[]>;
  /** The subscriptions that exist among these; for one that cannot be read, the error. */
  read(
    some: readonly ReconciledSubscription[],
  ): Promise<readonly (RegistryDataSubscription | StoredItemError)[]>;
  /** An NPN's stored actions and their reports, by state and action. */
  actionsOf(subscription: RegistryDataSubscription): Promise<ReadonlyMap<string, HeldAction>>;
  /**
   * Writes an action and that it was reported, together with further items.
   * @returns false when another worker has reported it since it was read.
   */
  report(
    owner: string,
    action: RegulatoryAction,
    held: HeldAction | undefined,
    items: readonly TransactionItem[],
  ): Promise<boolean>;
}

/** What identifies an action among those of an NPN. */
export const actionKey = ({
  stateCode,
  actionId,
}: Pick<RegulatoryAction, 'stateCode' | 'actionId'>): string => `${stateCode}#${actionId}`;

const reportVersion = z.object({ version: z.int() });
const reportedFields = z.object({ fields: z.object(amendableFields) });
const heldAction = z.extend(regulatoryAction, { isDeleted: z.optional(z.boolean()) });

/** Another worker has reported the action since it was read. */
class AlreadyReported extends Error {}

export function createReconciliationStore(client: DynamoDBClient, table: string): ReconciliationStore {
  /** Reads all items of one kind that an NPN has. */
  async function* itemsOf(pk: string, prefix: string): AsyncGenerator<Record<string, unknown>> {
    const query = {
      TableName: table,
      KeyConditionExpression: 'pk = :partition AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: toItem({ ':partition': pk, ':prefix': prefix }),
      ConsistentRead: true,
    };
    for await (const items of queryPages(client, query)) {
      for (const item of items) yield unmarshall(item);
    }
  }

  const restOf = (item: Record<string, unknown>, prefix: string): string =>
    String(item['sk']).slice(prefix.length);

  return {
    async *subscriptions() {
      for (let shard = 0; shard < shards; shard += 1) {
        const query = {
          TableName: table,
          IndexName: 'by-shard',
          KeyConditionExpression: 'shardKey = :shard',
          ExpressionAttributeValues: toItem({ ':shard': subscriptionShard(shard) }),
        };
        for await (const items of queryPages(client, query)) {
          yield items.map(({ pk, sk }) => ({
            organizationId: ownerOfPartition(pk?.S ?? ''),
            registryDataSubscriptionId: sk?.S ?? '',
          }));
        }
      }
    },

    async read(some) {
      const keys = some.map(({ organizationId, registryDataSubscriptionId }) =>
        registryKeys.subscription(organizationId, registryDataSubscriptionId),
      );
      const items = await batchGet(client, table, keys, { consistent: true });
      return items.map((item) => parseStoredOrError(registryDataSubscription, item));
    },

    async actionsOf({ dataOwnerId, npn }) {
      const { pk, skPrefix } = registryKeys.ofNpn(dataOwnerId, npn, 'ACTION');
      const reports = registryKeys.reportsOf(dataOwnerId, npn);
      const found = new Map<string, HeldAction>();
      for await (const item of itemsOf(pk, skPrefix)) {
        const { isDeleted, ...action } = parseStored(heldAction, item);
        if (isDeleted !== true) found.set(restOf(item, skPrefix), { action, report: undefined });
      }
      for await (const item of itemsOf(pk, reports.skPrefix)) {
        const key = restOf(item, reports.skPrefix);
        const { version } = parseStored(reportVersion, item);
        const fields = z.safeParse(reportedFields, item).data?.fields;
        found.set(key, { action: found.get(key)?.action, report: { version, fields } });
      }
      return found;
    },

    async report(owner, action, held, items) {
      const refused = () => new AlreadyReported();
      const version = held?.report?.version ?? 0;
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
          // A stored action that equals the reported one is not written, and keeps what an import left on it.
          ...(held?.action?.updatedAt === action.updatedAt
            ? []
            : [
                {
                  write: { Put: { TableName: table, Item: toItem(actionItem(owner, action)) } },
                  refused,
                },
              ]),
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
