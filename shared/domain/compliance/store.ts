import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { getItem } from '../../platform/data/get-item.ts';
import { partitionQuery } from '../../platform/data/query-pages.ts';
import { recordPages } from '../../platform/data/record-pages.ts';
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
      const query = partitionQuery(table, complianceKeys.config(owner, '').pk);
      for await (const configs of recordPages(client, storedComplianceConfig, query)) {
        yield configs.filter(({ isDeleted }) => !isDeleted);
      }
    },

    async find(owner, productId) {
      const key = complianceKeys.config(owner, productId);
      const found = await getItem(client, table, key, storedComplianceConfig, { consistent: false });
      return found?.isDeleted === true ? undefined : found;
    },
  };
}
