import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { commonKeys } from '../../shared/data/common-keys.ts';
import { itemsInOrder } from '../../shared/data/item-page.ts';
import { parseStored } from '../../shared/data/stored.ts';
import { filingKeys, filingPartitions } from '../../shared/filings/keys.ts';
import { type StoredFilingEntry, storedFilingEntry } from '../../shared/filings/list-entry.ts';

/** An agency's filings that wait for it. */
export interface WaitingFilings {
  /** Ids of the filings with an escalation that waits for the agency, of one entity if one is given: only keys. */
  idsOf(owner: string, downstreamEntityId: string | undefined): Promise<string[]>;
  /** The entries of these filings that exist, in their order. */
  entriesOf(owner: string, filingIds: readonly string[]): Promise<StoredFilingEntry[]>;
}

export const createWaitingFilings = (client: DynamoDBClient, table: string): WaitingFilings => ({
  async idsOf(owner, downstreamEntityId) {
    const waiting = {
      index: 'by-action',
      attribute: 'actionKey',
      value: filingPartitions.ofAction(owner, true),
    };
    const ofEntity =
      downstreamEntityId === undefined
        ? []
        : [
            {
              index: 'by-entity',
              attribute: 'entityKey',
              value: filingPartitions.ofEntity(owner, downstreamEntityId),
            },
          ];
    const ids: string[] = [];
    for await (const keys of commonKeys(client, table, [waiting, ...ofEntity])) {
      ids.push(...keys.map(({ sk }) => sk));
    }
    return ids;
  },

  async entriesOf(owner, filingIds) {
    const keys = filingIds.map((filingId) => filingKeys.listEntry(owner, filingId));
    const items = await itemsInOrder(client, table, keys);
    return items.map((item) => parseStored(storedFilingEntry, item));
  },
});
