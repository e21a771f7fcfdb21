import * as z from 'zod/mini';
import { agencyRules, agentRules } from '#domain/matching/rules.ts';
import { beginsTerm } from '#domain/policies/keys.ts';
import { policyFields } from '#domain/policies/resource.ts';
import { type NamedAgency, textOf } from '../matching/decide.ts';
import { hasAgencyEvidence, hasAgentEvidence } from '../matching/matching.ts';
import type { StoredPolicy, StoredTransaction } from './stored.ts';

/** The transactions that a policy has its fields from (OpenAPI, `getPolicy`); none of them is deleted. */
export interface Sources {
  readonly newest: StoredTransaction | undefined;
  /** The newest that names the agency; where none does, the newest of all. The same goes for agents and product. */
  readonly agency: StoredTransaction | undefined;
  readonly agents: StoredTransaction | undefined;
  readonly product: StoredTransaction | undefined;
  /** The newest that begins a term. */
  readonly term: StoredTransaction | undefined;
}

/** Whether a record, or what was found for it, has the id of an agency or an association. */
export const namesAgency = ({ downstreamEntityId, upstreamDownstreamAssociationId }: NamedAgency): boolean =>
  downstreamEntityId !== undefined || upstreamDownstreamAssociationId !== undefined;

/** Whether a transaction names its agency, its agents, or its product: known ones or not. */
export const namesAnyAgency = (transaction: StoredTransaction): boolean =>
  namesAgency(transaction) || hasAgencyEvidence(transaction);
export const namesAnyAgent = (transaction: StoredTransaction): boolean =>
  transaction.matchedAgents.length > 0 || hasAgentEvidence(transaction);
export const namesAnyProduct = (transaction: StoredTransaction): boolean =>
  productFields.some((field) => textOf(transaction[field]));

const productFields = ['productCode', 'productName'] as const;

/** Decides which of a policy's transactions it has its fields from. */
export function sourcesOf(transactions: Iterable<StoredTransaction>): Sources {
  const live = [...transactions].filter(({ isDeleted }) => !isDeleted);
  const newest = newestOf(live);
  return {
    newest,
    agency: newestOf(live.filter(namesAnyAgency)) ?? newest,
    agents: newestOf(live.filter(namesAnyAgent)) ?? newest,
    product: newestOf(live.filter(namesAnyProduct)) ?? newest,
    term: newestOf(live.filter(beginsTerm)),
  };
}

/** The newest transaction by date; among equals the one received last. */
export function newestOf(transactions: readonly StoredTransaction[]): StoredTransaction | undefined {
  let newest: StoredTransaction | undefined;
  for (const transaction of transactions)
    if (newest === undefined || isNewer(transaction, newest)) newest = transaction;
  return newest;
}

export function isNewer(transaction: StoredTransaction, rival: StoredTransaction): boolean {
  const difference = Date.parse(transaction.policyTransactionDate) - Date.parse(rival.policyTransactionDate);
  return difference > 0 || (difference === 0 && transaction.ordinal > rival.ordinal);
}

/** The fields that do not come from the newest transaction. */
const sourceOfField = new Map<string, keyof Sources>([
  ...Object.values(agencyRules).flatMap(({ fields }) => fields.map((field) => [field, 'agency'] as const)),
  ...Object.values(agentRules).flatMap(({ fields }) => fields.map((field) => [field, 'agents'] as const)),
  ...productFields.map((field) => [field, 'product'] as const),
  ['effectiveDate', 'term'],
]);

const businessFields = policyFields;
const fieldNames = z.keyof(businessFields).options;

type BusinessFields = z.output<typeof businessFields>;

/** A policy's business fields: those of its sources, and those that they lack from the policy's record. */
export function businessFieldsOf(own: StoredPolicy['own'], sources: Sources): BusinessFields {
  const fields = fieldNames.map((field) => {
    const source = sources[sourceOfField.get(field) ?? 'newest'];
    return [field, source?.[field] ?? own?.[field]];
  });
  return z.parse(businessFields, Object.fromEntries(fields));
}
