import { subscriptionIdOf } from '#domain/registry-records/stored.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { filingRecord } from './filings.ts';
import type { Step, Worked } from './operations.ts';
import { importAll } from './operator.ts';

/** Licenses of an NPN, and transactions of a policy, in one import. What looks at every NPN has few to look at. */
const together = 45;

/** NPNs that the registry does not know, each of one import. */
const npnOf = (number: number, index: number): string =>
  `9${String(number).padStart(5, '0')}${String(index).padStart(4, '0')}`;

/** What an import takes many of, each with a mark of its own, and its id or, of a license, that of its NPN's subscription. */
const records = {
  agents: ({ carrier: { organizationId }, number }, mark, index) => {
    const _id = derivedObjectId(organizationId, mark);
    const record = { type: 'agent', _id, npn: npnOf(number, index), firstName: 'Maria', lastName: mark };
    return { subject: _id, record };
  },
  associations: ({ carrier: { organizationId, brokerageId } }, mark) => {
    const _id = derivedObjectId(organizationId, mark);
    const names = { externalId: mark, branchName: mark };
    return { subject: _id, record: { type: 'association', _id, downstreamEntityId: brokerageId, ...names } };
  },
  licenses: ({ carrier: { organizationId }, number }, mark, index) => {
    const npn = npnOf(number, Math.floor(index / together));
    const record = {
      type: 'license',
      status: 'active',
      licenseClassName: 'Insurance Producer',
      residencyStatus: 'resident',
      npn,
      stateCode: 'TX',
      licenseNumber: mark,
    };
    return { subject: subscriptionIdOf(organizationId, npn), record };
  },
  filings: ({ carrier: { organizationId } }, mark) => {
    const _id = derivedObjectId(organizationId, mark);
    return { subject: _id, record: filingRecord({ _id, policyNumber: mark }) };
  },
  policies: ({ carrier: { organizationId } }, mark) => {
    const _id = derivedObjectId(organizationId, mark);
    return { subject: _id, record: { type: 'policy', _id, policyNumber: mark, riskStateCode: 'TX' } };
  },
  transactions: ({ carrier: { organizationId }, mark: operation }, mark, index) => {
    const _id = derivedObjectId(organizationId, mark);
    const record = {
      type: 'policy-transaction',
      _id,
      uniqueTransactionId: mark,
      policyNumber: `${operation}.policy-${Math.floor(index / together)}`,
      riskStateCode: 'TX',
      policyTransactionType: 'Endorsement',
      policyTransactionDate: '2026-01-05',
      entityMatchStatus: 'unmatched',
      agentMatchStatus: 'unmatched',
      matchedAgents: [],
    };
    return { subject: _id, record };
  },
} as const satisfies Readonly<
  Record<
    string,
    (step: Step, mark: string, index: number) => { readonly subject: string; readonly record: object }
  >
>;

export type ImportKind = keyof typeof records;
export const importKinds = Object.keys(records) as ImportKind[];

/** How many records an import has: of those that are written together, one takes about as long as a third of the others. */
export const recordsOf = (kind: ImportKind, recordsAtOnce: number): number =>
  kind === 'licenses' || kind === 'transactions' ? 3 * recordsAtOnce : recordsAtOnce;

/** Whether an operation asks for the events of what it imports. */
export const isTold = ({ number }: { readonly number: number }): boolean => number % 2 === 0;

/** Imports many records at once. */
export const importMany =
  (kind: ImportKind) =>
  async (step: Step): Promise<Worked> => {
    const changes = Array.from({ length: recordsOf(kind, step.recordsAtOnce) }, (_, index) => {
      const mark = `${step.mark}.${index}`;
      return { mark, ...records[kind](step, mark, index) };
    });
    const lines = changes.map(({ record }) => record);
    const { carrier, importing } = step;
    const outcome = await importing(() => importAll(carrier.organizationId, lines, isTold(step)));
    return { subject: step.mark, changes, outcome };
  };
