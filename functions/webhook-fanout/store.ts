import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { batchGet } from '../../shared/data/batch-get.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { queryPages } from '../../shared/data/query-pages.ts';
import { parseStored } from '../../shared/data/stored.ts';
import { type QueuedDelivery, queuedDelivery } from '../../shared/webhooks/deliveries.ts';
import { type Health, healthKey, storedHealth } from '../../shared/webhooks/health.ts';
import {
  deliveryItem,
  type StoredWebhook,
  storedWebhook,
  webhookPartitions,
} from '../../shared/webhooks/stored.ts';

export interface FanoutStore {
  /** Every webhook of an owner, as it is now. */
  webhooks(owner: string): Promise<StoredWebhook[]>;
  /** How these webhooks' receivers have been doing, by webhook; one without attempts is not in it. */
  healths(owner: string, webhookIds: readonly string[]): Promise<ReadonlyMap<string, Health>>;
  /** Writes a delivery unless it is there already; answers the one that is there afterwards. */
  add(owner: string, delivery: QueuedDelivery): Promise<QueuedDelivery>;
}

const healthOfWebhook = z.extend(storedHealth, { sk: z.string() });

export function createFanoutStore(client: DynamoDBClient, table: string): FanoutStore {
  return {
    async webhooks(owner) {
      const query = {
        TableName: table,
        KeyConditionExpression: 'pk = :partition',
        ExpressionAttributeValues: toItem({ ':partition': webhookPartitions.webhooks(owner) }),
        ConsistentRead: true,
      };
      const webhooks: StoredWebhook[] = [];
      for await (const items of queryPages(client, query)) {
        webhooks.push(...items.map((item) => parseStored(storedWebhook, unmarshall(item))));
      }
      return webhooks;
    },

    async healths(owner, webhookIds) {
      const keys = webhookIds.map((webhookId) => healthKey(owner, webhookId));
      const found = await batchGet(client, table, keys, { consistent: true });
      const healths = found.map((item) => parseStored(healthOfWebhook, item));
      return new Map(healths.map((health) => [health.sk, health]));
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
  };
}
