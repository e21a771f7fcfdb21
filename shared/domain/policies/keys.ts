import type { Policy } from './resource.ts';

/** Keys of the policies table (described in `table.ts`); `owner` is the upstream organization. */
export const policyKeys = {
  policy: (owner: string, policyId: string) => ({ pk: `${owner}#POLICY`, sk: policyId }),
  number: (owner: string, policyNumber: string) => ({ pk: `${owner}#NUMBER`, sk: policyNumber }),
  transaction: (owner: string, policyId: string, transactionId: string) => ({
    pk: `${owner}#TRANSACTION#${policyId}`,
    sk: transactionId,
  }),
  /** Names a transaction that has an id of its own by what identifies it otherwise. */
  identity: (owner: string, policyId: string, identity: string) => ({
    pk: `${owner}#IDENTITY#${policyId}`,
    sk: identity,
  }),
};

/** Partitions of the table's indexes. */
export const policyPartitions = {
  all: (owner: string) => owner,
  ofStatus: (owner: string, status: Policy['currentStatus']) => `${owner}#${status}`,
  ofState: (owner: string, state: Policy['riskStateCode']) => `${owner}#${state}`,
  ofPolicy: (owner: string, policyId: string) => `${owner}#${policyId}`,
  ofAssociation: (owner: string, associationId: string) => `${owner}#ASSOCIATION#${associationId}`,
  ofMatch: (owner: string, entity: Policy['entityMatchStatus'], product: Policy['productMatchStatus']) =>
    `${owner}#${entity}#${product}`,
  unsettled: (owner: string) => `${owner}#UNSETTLED`,
  ofAgencyNpn: (owner: string, npn: string) => `${owner}#NPN#${npn}`,
};

/** The sort key of the status index: the state first, so that one read serves both filters. */
export const statusSort = (state: Policy['riskStateCode'], policyNumber = ''): string =>
  `${state}#${policyNumber}`;

/** The sort key of the index of match statuses: further filters first. */
export const matchSort = (
  status: Policy['currentStatus'],
  state?: Policy['riskStateCode'],
  policyNumber = '',
): string => `${status}#${state === undefined ? '' : `${state}#`}${policyNumber}`;
