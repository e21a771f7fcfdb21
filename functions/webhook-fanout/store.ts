import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type QueuedDelivery, queuedDelivery } from '../../shared/domain/webhooks/deliveries.ts';
import { dueEntryOf } from '../../shared/domain/webhooks/due-entries.ts';
import {
  deliveryItem,
  type StoredWebhook,
  storedWebhook,
  webhookPartitions,
} from '../../shared/domain/webhooks/stored.ts';
import { batchPut } from '../../shared/platform/data/batch-write.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { partitionQuery, queryPages } from '../../shared/platform/data/query-pages.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';

export interface FanoutStore {
  /** Every webhook of an owner, as it is now. */
  webhooks(owner: string): Promise<StoredWebhook[]>;
  /** Writes a delivery unless it is there already; answers the one that is there afterwards. */
  add(owner: string, delivery: QueuedDelivery): Promise<QueuedDelivery>;
  /** Writes the due entries of deliveries, after these: an entry without its delivery is removed. */
  addDue(owner: string, deliveries: readonly QueuedDelivery[]): Promise<void>;
}

export function createFanoutStore(client: DynamoDBClient, table: string): FanoutStore {
  return {
    async webhooks(owner) {
      const query = { ...partitionQuery(table, webhookPartitions.webhooks(owner)), ConsistentRead: true };
      const webhooks: StoredWebhook[] = [];
      for await (const items of queryPages(client, query)) {
        webhooks.push(...items.map((item) => parseStored(storedWebhook, unmarshall(item))));
      }
      return webhooks;
    },

    async add(owner, delivery) {
      try {
        await client.send(
          new PutItemCommand({
            TableName: table,
            Item: toItem(deliveryItem(owner, delivery)),
            ConditionExpression: 'attribute_not_exists(pk)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return delivery;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return parseStored(queuedDelivery, error.Item && unmarshall(error.Item));
      }
    },

    async addDue(owner, deliveries) {
      const entries = deliveries.flatMap((delivery) => dueEntryOf(owner, delivery) ?? []);
      await batchPut(
        client,
        table,
        entries.map((entry) => ({ ...entry })),
      );
    },
  };
}
