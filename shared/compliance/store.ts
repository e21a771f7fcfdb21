import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { toItem } from '../data/dynamo.ts';
import { getItem } from '../data/get-item.ts';
import { queryPages } from '../data/query-pages.ts';
import { parseStored } from '../data/stored.ts';
import { complianceKeys, type StoredComplianceConfig, storedComplianceConfig } from './stored.ts';

/** Reads of one carrier's compliance configs; those of another organization cannot even be addressed. */
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
      const key = complianceKeys.config(owner, productId);
      const found = await getItem(client, table, key, storedComplianceConfig, { consistent: false });
      return found?.isDeleted === true ? undefined : found;
    },
  };
}
