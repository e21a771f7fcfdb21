// Apart from `stored.ts`: who needs keys alone loads nothing that recognizes files.
import type { StoredMessage } from './stored.ts';

/** Keys of the filings table (described in `shared/domain/tables.ts`). */
export const filingKeys = {
  filing: (upstream: string, filingId: string) => ({ pk: `${upstream}#FILING#${filingId}`, sk: 'FILING' }),
  message: (upstream: string, filingId: string, message: Pick<StoredMessage, '_id' | 'sentAt'>) => ({
    pk: `${upstream}#FILING#${filingId}`,
    sk: `MESSAGE#${message.sentAt}#${message._id}`,
  }),
  listEntry: (owner: string, filingId: string) => ({ pk: `${owner}#FILINGS`, sk: filingId }),
  /** The item with the upstream owner, for operators, who know only the filing's id. */
  owner: (filingId: string) => ({ pk: `FILING_ID#${filingId}`, sk: 'OWNER' }),
};

/** Partitions of the table's indexes. */
export const filingPartitions = {
  ofDownstream: (downstream: string, filingId: string) => `${downstream}#FILING#${filingId}`,
  all: (owner: string) => owner,
  /** Partition of the index of a filter, for the filter's value. */
  ofFilter: (owner: string, value: string | boolean) => `${owner}#${value}`,
};
