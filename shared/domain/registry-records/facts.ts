import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { noFacts } from '../decision/facts.ts';
import { itemsOf } from './held-records.ts';
import type { License } from './license.ts';
import { factKeys, factsAmong, type StoredFacts } from './stored-facts.ts';

/** What was ever recorded of a holder's licenses and appointments. */
export interface RecordedFacts {
  /** In one state, or in all: one query, and none for an agency without an NPN. */
  factsOf(owner: string, npn: string | null, stateCode?: License['stateCode']): Promise<StoredFacts>;
}

export function createRecordedFacts(client: DynamoDBClient, table: string): RecordedFacts {
  return {
    async factsOf(owner, npn, stateCode) {
      if (npn === null) return { ...noFacts, recordings: [] };
      const items: Record<string, unknown>[] = [];
      for await (const page of itemsOf(client, table, factKeys.ofNpn(owner, npn, stateCode))) {
        items.push(...page);
      }
      return factsAmong(items);
    },
  };
}
