// Apart from `stored.ts`: who needs keys alone loads nothing that recognizes files.
import type { FilingStatus } from './resource.ts';
import type { StoredFiling, StoredMessage } from './stored.ts';

/** Keys of the filings table (described in `shared/domain/table-designs.ts`). */
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
  ofStatus: (owner: string, status: FilingStatus) => `${owner}#${status}`,
  ofState: (owner: string, state: StoredFiling['stateCode']) => `${owner}#${state}`,
  ofPolicyNumber: (owner: string, policyNumber: string) => `${owner}#${policyNumber}`,
  ofReference: (owner: string, reference: string) => `${owner}#${reference}`,
  ofAction: (owner: string, actionRequired: boolean) => `${owner}#${actionRequired}`,
  ofEntity: (owner: string, downstreamEntityId: string) => `${owner}#${downstreamEntityId}`,
};
