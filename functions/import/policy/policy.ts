// A policy during the import of its lines, and the transactions that it has its fields from.
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { writtenDate } from '#domain/decision/dates.ts';
import { comparable, comparableNpn } from '#domain/identifiers/identifiers.ts';
import {
  agencyRules,
  agentRules,
  fingerprintDates,
  fingerprintFields,
  fingerprintNumbers,
} from '#domain/matching/rules.ts';
import { type Policy, type PolicyTransaction, policyFields } from '#domain/policies/resource.ts';
import { beginsTerm } from '#domain/policies/stored.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { type NamedAgency, textOf } from '../matching/decide.ts';
import {
  hasAgencyEvidence,
  hasAgentEvidence,
  type Matching,
  type MatchProduct,
  type ProductFields,
  type ProductMatch,
} from '../matching/matching.ts';
import type { AgencyMatch, AgentMatch } from '../matching/parties.ts';
import type { PolicyRecord, PolicyTransactionRecord } from '../record-schemas.ts';
import { hashOf, timesOf } from '../run/lines.ts';
import type { StoredPolicy, StoredTransaction } from './stored.ts';

type BusinessFields = Pick<PolicyTransactionRecord, (typeof fingerprintFields)[number]>;

/** A text as fingerprints compare it. Twice, because some letters have several forms in one case. */
const comparableText = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().normalize('NFC');

const [numbers, dates] = [new Set<string>(fingerprintNumbers), new Set<string>(fingerprintDates)];

/** A business field as it is compared; null for one that is absent, or of which nothing is left. */
function comparedValue(field: keyof BusinessFields, value: string | number | undefined) {
  if (typeof value !== 'string') return value ?? null;
  if (field === 'policyNumber') return value;
  if (dates.has(field)) return writtenDate(value);
  return (numbers.has(field) ? comparable(value) : comparableText(value)) || null;
}

/** SHA-256 over what a transaction says of the policy, as it compares (OpenAPI, "Matching"), in hexadecimal. */
export const fingerprintOf = (transaction: BusinessFields): string => {
  const values = fingerprintFields.map((field) => comparedValue(field, transaction[field]));
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
};

/** Identity of a transaction, whatever its `_id`: the source's id within the policy, else the fingerprint. */
export const identityOf = (
  owner: string,
  record: BusinessFields & Pick<PolicyTransactionRecord, 'uniqueTransactionId' | 'transactionFingerprint'>,
): string =>
  derivedObjectId(
    owner,
    'policy-transaction',
    record.policyNumber,
    record.uniqueTransactionId ?? record.transactionFingerprint ?? fingerprintOf(record),
  );

/** Fields of a record beside its business fields and its times. */
const ownFields = [
  'uniqueTransactionId',
  'transactionFingerprint',
  'entityMatchStatus',
  'downstreamEntityId',
  'upstreamDownstreamAssociationId',
  'entityMatchConfidence',
  'agentMatchStatus',
  'matchedAgents',
  'columnMappingId',
  'entityId',
  'entityModel',
  'isDeleted',
] as const satisfies readonly (keyof PolicyTransactionRecord)[];

/** Whether a record is a duplicate: it has the stored one's fingerprint, and says nothing else of it. */
const saysNothingNew = (original: PolicyTransaction, record: PolicyTransactionRecord): boolean =>
  fingerprintOf(original) === fingerprintOf(record) &&
  ownFields.every(
    (field) => record[field] === undefined || isDeepStrictEqual(record[field], original[field]),
  );

/** The comparison of a transaction that is written with the stored one of its identity. */
function dedupResultOf(
  original: PolicyTransaction | undefined,
  record: PolicyTransactionRecord,
): PolicyTransaction['dedupResult'] {
  if (original === undefined) return 'new';
  return fingerprintOf(original) === fingerprintOf(record) ? original.dedupResult : 'amended';
}

/** A policy during the import of lines. */
export interface PolicyDraft {
  readonly policyId: string;
  /** The policy as it was read; undefined for a new one. */
  readonly before: StoredPolicy | undefined;
  own: StoredPolicy['own'];
  ownHash: string | undefined;
  /** Number of transactions that are not deleted. */
  count: number;
  lastOrdinal: number;
  updatedAt: string | undefined;
  /** The transactions that are needed: those that the lines name, and those that the policy has its fields from so far. */
  readonly transactions: Map<string, StoredTransaction>;
  /** Ids of transactions that have one of their own, by what identifies them otherwise. */
  readonly identities: Map<string, string>;
  /** Ids of the transactions that are new or amended. */
  readonly writtenIds: Set<string>;
  /** Ids of sales that are to be resolved again by all that is known now, also by what was imported since and dated earlier. */
  readonly reopenedIds: Set<string>;
  /** Ids of sales that are to be recorded again to their parties: the carrier appoints when it binds otherwise than it was known to. */
  readonly recordedAgainIds: Set<string>;
  /** Ids of sales that take nothing from an earlier transaction, since that is of another insured. */
  readonly otherInsuredIds: Set<string>;
  isChanged: boolean;
}

export const newDraft = (
  policyId: string,
  before: StoredPolicy | undefined,
  transactions: readonly StoredTransaction[],
  identities: ReadonlyMap<string, string> = new Map(),
): PolicyDraft => ({
  policyId,
  before,
  own: before?.own,
  ownHash: before?.ownHash,
  count: before?.transactionCount ?? 0,
  lastOrdinal: before?.lastOrdinal ?? 0,
  updatedAt: undefined,
  transactions: new Map(transactions.map((transaction) => [transaction._id, transaction])),
  identities: new Map(identities),
  writtenIds: new Set(),
  reopenedIds: new Set(),
  recordedAgainIds: new Set(),
  otherInsuredIds: new Set(),
  isChanged: false,
});

/**
 * @returns the policy's id.
 * @throws ApiError `validation_error` when the record's id is not the one its policy number already has.
 */
export function applyPolicy(draft: PolicyDraft, record: PolicyRecord): string {
  if (record._id !== undefined && record._id !== draft.policyId) {
    throw invalidAt('_id', `policy number ${record.policyNumber} belongs to ${draft.policyId}`);
  }
  const hash = hashOf(record);
  if (hash === draft.ownHash) return draft.policyId;
  const { type: _, isDeleted = draft.own?.isDeleted ?? false, ...ownValues } = record;
  draft.own = { ...ownValues, isDeleted };
  draft.ownHash = hash;
  draft.updatedAt = record.updatedAt;
  draft.isChanged = true;
  return draft.policyId;
}

/** A transaction's record, and what was read for it. */
interface TransactionChange {
  readonly owner: string;
  readonly record: PolicyTransactionRecord;
  readonly matching: Matching;
  /** Time for records that have none. */
  readonly importedAt: string;
}

/** The id of the transaction with this identity, else the record's own: no `_id` makes a second one of the first. */
function idOf(draft: PolicyDraft, owner: string, record: PolicyTransactionRecord, identity: string): string {
  const foundId = draft.identities.get(identity) ?? identity;
  const original = draft.transactions.get(foundId);
  // What was found may have been corrected, and then identifies itself by something else.
  const isIt = original !== undefined && identityOf(owner, original) === identity;
  return isIt ? foundId : (record._id ?? foundId);
}

/**
 * Adds a transaction, or replaces the one with its identity; one that says nothing new changes nothing.
 * @returns its id.
 */
export function applyTransaction(
  draft: PolicyDraft,
  { owner, record, matching, importedAt }: TransactionChange,
): string {
  const identity = identityOf(owner, record);
  const id = idOf(draft, owner, record, identity);
  const original = draft.transactions.get(id);
  const recordHash = hashOf(record);
  if (original?.recordHash === recordHash || (original && saysNothingNew(original, record))) return id;
  if (original === undefined) draft.lastOrdinal += 1;
  draft.count += countOf(record) - countOf(original);
  const { type: _, entityMatchStatus, agentMatchStatus, matchedAgents, ...fields } = record;
  const agency = agencyOf(record, original, matching);
  const isSameProduct = original && (!namesProduct(record) || isOfSameProduct(original, record));
  const transaction: StoredTransaction = {
    ...fields,
    ...agency,
    ...agentsOf(record, original, matching, agency, importedAt),
    _id: id,
    policyId: draft.policyId,
    upstreamEntityId: owner,
    transactionFingerprint: record.transactionFingerprint ?? fingerprintOf(record),
    dedupResult: record.dedupResult ?? dedupResultOf(original, record),
    ...timesOf(record, original, importedAt),
    ordinal: original?.ordinal ?? draft.lastOrdinal,
    recordHash,
    isAgencyNamed: namesAgency(record) ? true : undefined,
    confirmedProductId: isSameProduct ? original.confirmedProductId : undefined,
    sale: original?.sale,
    saleSources: original?.saleSources,
    soldOnBinding: original?.soldOnBinding,
  };
  draft.transactions.set(id, transaction);
  if (id !== identity) draft.identities.set(identity, id);
  draft.writtenIds.add(id);
  draft.updatedAt = record.updatedAt;
  draft.isChanged = true;
  return id;
}

/** Whether two transactions name their product alike: what a person confirmed of one holds for the other. */
export const isOfSameProduct = (a: ProductFields, b: ProductFields): boolean =>
  (['productCode', 'productName'] as const).every(
    (field) => comparedValue(field, a[field]) === comparedValue(field, b[field]),
  );

const countOf = (transaction: { readonly isDeleted: boolean } | undefined): number =>
  transaction === undefined || transaction.isDeleted ? 0 : 1;

/** Whether an NPN is named, and another one than before: what a person confirmed was of that. */
const isOtherNpn = (npn: string | undefined, before: string | undefined): boolean =>
  ![undefined, textOf(before, comparableNpn)].includes(textOf(npn, comparableNpn));

/** The agency that a record names, else that a person confirmed, else that is found; the same goes for agents. */
function agencyOf(
  record: PolicyTransactionRecord,
  original: StoredTransaction | undefined,
  matching: Matching,
): AgencyMatch {
  const { entityMatchStatus, ...namedFields } = record;
  if (entityMatchStatus !== undefined) return agencyFields({ ...namedFields, entityMatchStatus });
  const isConfirmed = original?.entityMatchStatus === 'user confirmed' && !namesAgency(record);
  if (isConfirmed && !isOtherNpn(record.agencyNpn, original.agencyNpn)) return agencyFields(original);
  return matching.agencyOf(record);
}

function agentsOf(
  record: PolicyTransactionRecord,
  original: StoredTransaction | undefined,
  matching: Matching,
  agency: AgencyMatch,
  matchedAt: string,
): AgentMatch {
  const { agentMatchStatus, matchedAgents = [] } = record;
  if (agentMatchStatus !== undefined) return { agentMatchStatus, matchedAgents };
  if (matchedAgents.length > 0) return { agentMatchStatus: 'auto matched', matchedAgents };
  const isConfirmed = original?.agentMatchStatus === 'user confirmed';
  if (isConfirmed && !isOtherNpn(record.agentNpn, original.agentNpn)) {
    return { agentMatchStatus: original.agentMatchStatus, matchedAgents: original.matchedAgents };
  }
  return matching.agentsOf(record, agency, matchedAt);
}

/** Fields of a transaction about its agency. */
export const agencyFields = ({
  entityMatchStatus,
  downstreamEntityId,
  upstreamDownstreamAssociationId,
  entityMatchConfidence,
}: AgencyMatch): AgencyMatch => ({
  entityMatchStatus,
  downstreamEntityId,
  upstreamDownstreamAssociationId,
  entityMatchConfidence,
});

/** The ids of the transactions that a policy had its fields from. */
export const sourceIdsOf = ({ newestTransactionId, sourceIds }: StoredPolicy): string[] =>
  [newestTransactionId, ...Object.values(sourceIds)].filter((id) => id !== undefined);

/** Whether a policy is deleted: by its record, or with all its transactions if its record alone could not create it. */
export const isDeletedWith = ({ own }: PolicyDraft, { newest }: Sources): boolean =>
  own?.isDeleted === true || (newest === undefined && own?.riskStateCode === undefined);

/**
 * The policy as callers will see it: fields of its sources, and those that they lack from the policy's record.
 * @throws ApiError `validation_error` when neither says in which state the risk is.
 */
export function viewOf(
  draft: PolicyDraft,
  policyNumber: string,
  sources: Sources,
  {
    writtenAt,
    productMatchStatus,
  }: Pick<ProductMatch, 'productMatchStatus'> & { readonly writtenAt: string },
): Policy {
  const { own, before } = draft;
  const [example] = draft.transactions.values();
  // The last two are of a policy that was deleted with its transactions, which callers do not see.
  const riskStateCode =
    sources.newest?.riskStateCode ?? own?.riskStateCode ?? before?.riskStateCode ?? example?.riskStateCode;
  if (riskStateCode === undefined) {
    throw invalidAt('riskStateCode', 'is required for a policy without transactions');
  }
  return {
    ...businessFieldsOf(own, sources),
    _id: draft.policyId,
    policyNumber,
    currentStatus: own?.currentStatus ?? 'bound',
    productMatchStatus,
    entityMatchStatus: sources.agency?.entityMatchStatus ?? own?.entityMatchStatus ?? 'unmatched',
    riskStateCode,
    transactionCount: draft.count,
    createdAt: own?.createdAt ?? before?.createdAt ?? writtenAt,
    updatedAt: draft.updatedAt ?? writtenAt,
  };
}

/** The product that the policy's record names, else that a person confirmed of what the policy has its own from, else that is found. */
export function productOf(
  { own, transactions }: PolicyDraft,
  fields: ProductFields,
  matchProduct: MatchProduct,
): ProductMatch {
  if (own?.productMatchStatus !== undefined) return { productMatchStatus: own.productMatchStatus };
  const live = [...transactions.values()].filter(({ isDeleted }) => !isDeleted);
  const isConfirmed = ({ confirmedProductId }: StoredTransaction): boolean =>
    confirmedProductId !== undefined;
  const source = newestOf(live.filter((one) => isConfirmed(one) || namesProduct(one)));
  const confirmed = live.filter((one) => isConfirmed(one) && source && isOfSameProduct(one, source));
  const productId = newestOf(confirmed)?.confirmedProductId;
  return productId === undefined ? matchProduct(fields) : { productMatchStatus: 'user confirmed', productId };
}

/** The transactions that a policy has its fields from (OpenAPI, `getPolicy`); none of them is deleted. */
export interface Sources {
  readonly newest: StoredTransaction | undefined;
  /** The newest that names the agency; where none does, the newest of all. The same goes for agents, product, and company. */
  readonly agency: StoredTransaction | undefined;
  readonly agents: StoredTransaction | undefined;
  readonly product: StoredTransaction | undefined;
  readonly company: StoredTransaction | undefined;
  /** The newest that begins a term. */
  readonly term: StoredTransaction | undefined;
}

/** Whether a record, or what was found for it, has the id of an agency or an association. */
const namesAgency = ({ downstreamEntityId, upstreamDownstreamAssociationId }: NamedAgency): boolean =>
  downstreamEntityId !== undefined || upstreamDownstreamAssociationId !== undefined;

/** Whether a transaction names its agency, its agents, or its product: known ones or not. */
export const namesAnyAgency = (transaction: StoredTransaction): boolean =>
  namesAgency(transaction) || hasAgencyEvidence(transaction);
export const namesAnyAgent = (transaction: StoredTransaction): boolean =>
  transaction.matchedAgents.length > 0 || hasAgentEvidence(transaction);
export const namesProduct = (fields: ProductFields): boolean =>
  productFields.some((field) => textOf(fields[field]) !== undefined);

const productFields = ['productCode', 'productName'] as const;

/** Whether a transaction names the company that writes it. */
export const namesAnyCompany = ({ carrierNaicCode, carrierName }: StoredTransaction): boolean =>
  (textOf(carrierNaicCode, comparable) ?? textOf(carrierName)) !== undefined;

/** Decides which of a policy's transactions it has its fields from. */
export function sourcesOf(transactions: Iterable<StoredTransaction>): Sources {
  const live = [...transactions].filter(({ isDeleted }) => !isDeleted);
  const newest = newestOf(live);
  return {
    newest,
    agency: newestOf(live.filter(namesAnyAgency)) ?? newest,
    agents: newestOf(live.filter(namesAnyAgent)) ?? newest,
    product: newestOf(live.filter(namesProduct)) ?? newest,
    company: newestOf(live.filter(namesAnyCompany)) ?? newest,
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
  ['carrierName', 'company'],
  ['carrierNaicCode', 'company'],
  ['effectiveDate', 'term'],
]);

const fieldNames = z.keyof(policyFields).options;

/** A policy's business fields: those of its sources, and those that they lack from the policy's record. */
export function businessFieldsOf(own: StoredPolicy['own'], sources: Sources): z.output<typeof policyFields> {
  const fields = fieldNames.map((field) => {
    const source = sources[sourceOfField.get(field) ?? 'newest'];
    return [field, source?.[field] ?? own?.[field]];
  });
  return z.parse(policyFields, Object.fromEntries(fields));
}
