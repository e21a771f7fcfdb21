import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type Ownership,
  type OwnPartitions,
  ownKeys,
} from '../../shared/domain/downstream-entities/own-records.ts';
import { filingPartitions } from '../../shared/domain/filings/keys.ts';
import { type StoredFilingEntry, storedFilingEntry } from '../../shared/domain/filings/list-entry.ts';
import type { IndexedKey } from '../../shared/platform/data/common-keys.ts';
import { itemsInOrder } from '../../shared/platform/data/item-page.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';

/** An organization's filings that wait for it. */
export interface WaitingFilings {
  /** Keys of the filings with an escalation that waits for the organization, of one agency if one is given. */
  keysOf(ownership: Ownership, downstreamEntityId: string | undefined): Promise<IndexedKey[]>;
  /** The entries of these keys that exist, in their order. */
  entriesOf(keys: readonly IndexedKey[]): Promise<StoredFilingEntry[]>;
}

const partitionsOf: OwnPartitions = (owner, downstreamEntityId) => [
  { index: 'by-action', attribute: 'actionKey', value: filingPartitions.ofAction(owner, true) },
  ...(downstreamEntityId === undefined
    ? []
    : [
        {
          index: 'by-entity',
          attribute: 'entityKey',
          value: filingPartitions.ofEntity(owner, downstreamEntityId),
        },
      ]),
];

export const createWaitingFilings = (client: DynamoDBClient, table: string): WaitingFilings => ({
  keysOf: (ownership, downstreamEntityId) =>
    ownKeys(client, table, ownership, downstreamEntityId, partitionsOf),

  async entriesOf(keys) {
    const items = await itemsInOrder(client, table, keys);
    return items.map((item) => parseStored(storedFilingEntry, item));
  },
});
