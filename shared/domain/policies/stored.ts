import * as z from 'zod/mini';
import { objectId, stateCode, storedNumber } from '#platform/contract/primitives.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { earlierOf, writtenDate } from '../decision/dates.ts';
import {
  entityMatchStatus,
  type Policy,
  type PolicyTransaction,
  policyFields,
  policySellers,
} from './resource.ts';

const { productCode, productName, carrierName, carrierNaicCode } = policyFields.shape;

/**
 * A sale: who sold what, as a New or a Renewal and the policy's earlier transactions said when it was imported (OpenAPI, "Sales").
 * It is stored with its transaction, and that of the latest term with the policy, too.
 */
export const storedSale = z.object({
  /** The day on which it is judged. */
  soldOn: z.iso.date(),
  riskStateCode: stateCode,
  /** Status of the transaction that names the agency. */
  entityMatchStatus,
  /** Sort key of its agency: `agencySort` without a policy number. */
  agencySort: z.string(),
  /** The agency that sold it, with which the association may no longer be. */
  downstreamEntityId: z.optional(objectId),
  sellers: policySellers,
  /** The product that matching or a person decided on. */
  productId: z.optional(objectId),
  productCode,
  productName,
  carrierName,
  carrierNaicCode,
});

export type StoredSale = z.output<typeof storedSale>;

/** Whether a transaction begins a term, and so is a sale unless it is deleted. */
export const beginsTerm = ({
  policyTransactionType: type,
}: Pick<PolicyTransaction, 'policyTransactionType'>) => type === 'New' || type === 'Renewal';

/** The day of sale: the earlier of the written dates of the transaction and of its beginning. */
export const soldOnOf = ({
  policyTransactionDate,
  effectiveDate = policyTransactionDate,
}: Pick<PolicyTransaction, 'policyTransactionDate' | 'effectiveDate'>): string =>
  earlierOf(writtenDate(policyTransactionDate), writtenDate(effectiveDate));

/** Keys of the policies table (described in `shared/domain/tables.ts`); `owner` is the upstream organization. */
export const policyKeys = {
  policy: (owner: string, policyId: string) => ({ pk: `${owner}#POLICY`, sk: policyId }),
  number: (owner: string, policyNumber: string) => ({ pk: `${owner}#NUMBER`, sk: policyNumber }),
  transaction: (owner: string, policyId: string, transactionId: string) => ({
    pk: `${owner}#TRANSACTION#${policyId}`,
    sk: transactionId,
  }),
  /** Says whose a transaction is, so that no other has its id. */
  transactionOwner: (transactionId: string) => ({ pk: `TRANSACTION_ID#${transactionId}`, sk: 'OWNER' }),
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
  ofMatch: (owner: string, entity: Policy['entityMatchStatus'], product: Policy['productMatchStatus']) =>
    `${owner}#${entity}#${product}`,
  unmatched: (owner: string) => `${owner}#UNMATCHED`,
  sales: (owner: string) => owner,
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

/** The agency of a policy: the relationship that its transactions name, else the agency with the NPN, else none. */
export type AgencyReference =
  | { readonly associationId: string }
  | { readonly npn: string }
  | { readonly isUnknown: true };

/** The sort key of the index of agencies: the policies of an agency relationship, or of an NPN, stand together. */
export const agencySort = (agency: AgencyReference, policyNumber = ''): string => {
  if ('associationId' in agency) return `ASSOCIATION#${agency.associationId}#${policyNumber}`;
  return 'npn' in agency ? `NPN#${agency.npn}#${policyNumber}` : `UNKNOWN#${policyNumber}`;
};

/** The agency of the policy with a sort key of `agencySort`. */
export function agencyOfSort(sort: string): AgencyReference {
  const [kind, id = ''] = sort.split('#', 2);
  if (kind === 'ASSOCIATION') return { associationId: id };
  return kind === 'NPN' ? { npn: id } : { isUnknown: true };
}

/** The sort key of the index of sales: those of an agency stand together, in the order of their days. */
export const saleSort = (
  { agencySort: agency, soldOn }: Pick<StoredSale, 'agencySort' | 'soldOn'>,
  transactionId: string,
): string => `${agency}${soldOn}#${transactionId}`;

/** Days on which a policy is in force, from the first on; the day of its end is not one of them. */
const termInForce = z.object({ from: z.iso.date(), until: z.optional(z.iso.date()) });

export type TermInForce = z.output<typeof termInForce>;

/** More than any number of transactions adds up to. */
const largestSum = 1e15;

export const storedTerms = z.object({
  /** The premium of the transactions since the latest New or Renewal, that one included; in whole cents. */
  termPremiumInUSD: z.optional(storedNumber(largestSum)),
  /** Terms in order, none next to another. */
  inForce: z.optional(z.array(termInForce)),
});

/** Whether a policy is in force on a day (OpenAPI, "Compliance of policies"). */
export const isInForceOn = (terms: readonly TermInForce[] = [], day: CalendarDate): boolean =>
  terms.some(({ from, until }) => from <= day && (until === undefined || day < until));

// Money that is added up without error.

/**
 * An amount in cents, rounded as it is written: half a cent away from zero. Amounts are bounded so that their cents are whole
 * numbers, which are added without error.
 */
export function centsOf(amount: number): bigint {
  const [coefficient = '', exponent = '0'] = String(Math.abs(amount)).split('e');
  const cents = Math.round(Number(`${coefficient}e${Number(exponent) + 2}`));
  return BigInt(amount < 0 ? -cents : cents);
}

/** A premium as it is shown: rounded to cents; null where none is known. */
export const premiumOf = (amount: number | undefined): number | null =>
  amount === undefined ? null : amountOf(centsOf(amount));

/** The amount of so many cents: the number next to it, which is written with these cents up to 70 trillion dollars. */
export function amountOf(cents: bigint): number {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return Number(`${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`);
}
