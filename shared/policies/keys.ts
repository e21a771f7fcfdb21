import type { Policy } from '../resources/policy.ts';

/** Keys of the policies table (described in `shared/data/tables.ts`); `owner` is the upstream organization. */
export const policyKeys = {
  policy: (owner: string, policyId: string) => ({ pk: `${owner}#POLICY`, sk: policyId }),
  number: (owner: string, policyNumber: string) => ({ pk: `${owner}#NUMBER`, sk: policyNumber }),
  transaction: (owner: string, policyId: string, transactionId: string) => ({
    pk: `${owner}#TRANSACTION#${policyId}`,
    sk: transactionId,
  }),
};

/** Partitions of the table's indexes. */
export const policyPartitions = {
  all: (owner: string) => owner,
  ofStatus: (owner: string, status: Policy['currentStatus']) => `${owner}#${status}`,
  ofState: (owner: string, state: Policy['riskStateCode']) => `${owner}#${state}`,
  ofPolicy: (owner: string, policyId: string) => `${owner}#${policyId}`,
  ofAssociation: (owner: string, associationId: string) => `${owner}#ASSOCIATION#${associationId}`,
  ofAgencyNpn: (owner: string, npn: string) => `${owner}#NPN#${npn}`,
};

/** The sort key of the status index: the state first, so that one read serves both filters. */
export const statusSort = (state: Policy['riskStateCode'], policyNumber = ''): string =>
  `${state}#${policyNumber}`;
