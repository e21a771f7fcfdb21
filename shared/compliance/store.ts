import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { toItem } from '../data/dynamo.ts';
import { queryPages } from '../data/query-pages.ts';
import { parseStored } from '../data/stored.ts';
import { complianceKeys, type StoredComplianceConfig, storedComplianceConfig } from './stored.ts';

/** Reads of one carrier's compliance configs; what another organization owns cannot even be addressed. */
export interface ComplianceConfigs {
  /** Every config, one database page at a time, by product id. */
  all(owner: string): AsyncIterable<StoredComplianceConfig[]>;
  find(owner: string, productId: string): Promise<StoredComplianceConfig | undefined>;
}

export function createComplianceConfigs(client: DynamoDBClient, table: string): ComplianceConfigs {
  return {
    async *all(owner) {
      const query = {
        TableName: table,
        KeyConditionExpression: 'pk = :partition',
        ExpressionAttributeValues: toItem({ ':partition': complianceKeys.config(owner, '').pk }),
      };
      for await (const items of queryPages(client, query)) {
        yield items
          .map((item) => parseStored(storedComplianceConfig, unmarshall(item)))
          .filter(({ isDeleted }) => !isDeleted);
      }
    },

    async find(owner, productId) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: toItem(complianceKeys.config(owner, productId)) }),
      );
      const found = parseStored(z.optional(storedComplianceConfig), Item && unmarshall(Item));
      return found?.isDeleted === true ? undefined : found;
    },
  };
}
