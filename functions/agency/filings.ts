import {
  type Ownership,
  type OwnPartitions,
  ownKeys,
} from '../../shared/domain/downstream-entities/own-records.ts';
import { filingPartitions } from '../../shared/domain/filings/keys.ts';
import { storedFilingEntry } from '../../shared/domain/filings/resource.ts';
import type { IndexedKey } from '../../shared/platform/data/common-keys.ts';
import type { Table } from '../../shared/platform/data/table.ts';

type FilingIndex = 'by-action' | 'by-entity';

const partitionsOf: OwnPartitions<FilingIndex> = (owner, downstreamEntityId) => [
  { index: 'by-action', value: filingPartitions.ofAction(owner, true) },
  ...(downstreamEntityId === undefined
    ? []
    : [{ index: 'by-entity' as const, value: filingPartitions.ofEntity(owner, downstreamEntityId) }]),
];

/** An organization's filings that wait for it. */
export const createWaitingFilings = (filings: Table<FilingIndex>) => ({
  /** Keys of the filings with an escalation that waits for the organization, of one agency if one is given. */
  keysOf: (ownership: Ownership, downstreamEntityId: string | undefined) =>
    ownKeys(filings, ownership, downstreamEntityId, partitionsOf),
  /** The entries of these keys that exist, in their order. */
  entriesOf: (keys: readonly IndexedKey[]) =>
    filings.getInOrder(storedFilingEntry, keys, { leavesOut: true }),
});
