import { createHash } from 'node:crypto';
import { writtenDate } from '#domain/decision/dates.ts';
import { comparable } from '#domain/identifiers/identifiers.ts';
import { fingerprintDates, fingerprintFields, fingerprintNumbers } from '#domain/matching/rules.ts';
import type { Policy, PolicyTransaction } from '#domain/policies/resource.ts';
import { invalidAt } from '#platform/contract/errors.ts';
import { isDeepStrictEqual } from '#platform/data/json.ts';
import { derivedObjectId } from '#platform/data/keys.ts';
import { timesOf } from '../common-fields.ts';
import type { AgencyMatch } from '../matching/agencies.ts';
import type { AgentMatch } from '../matching/agents.ts';
import type { Matching, MatchProduct, ProductFields, ProductMatch } from '../matching/matching.ts';
import { hashOf } from '../put-records.ts';
import { businessFieldsOf, namesAgency, type Sources } from './sources.ts';
import type { PolicyRecord, PolicyTransactionRecord, StoredPolicy, StoredTransaction } from './stored.ts';

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

/** What identifies a transaction, whatever its `_id`: the source's id within the policy, else the fingerprint. */
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

/** What a record may say beside its business fields and its times. */
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
const saysNothingNew = (stored: PolicyTransaction, record: PolicyTransactionRecord): boolean =>
  fingerprintOf(stored) === fingerprintOf(record) &&
  ownFields.every((field) => record[field] === undefined || isDeepStrictEqual(record[field], stored[field]));

/** How a transaction that is written compares with the stored one of its identity. */
function dedupResultOf(
  known: PolicyTransaction | undefined,
  record: PolicyTransactionRecord,
): PolicyTransaction['dedupResult'] {
  if (known === undefined) return 'new';
  return fingerprintOf(known) === fingerprintOf(record) ? known.dedupResult : 'amended';
}

/** A policy during the import of lines. */
export interface PolicyDraft {
  readonly policyId: string;
  /** As it was read; undefined for one that is new. */
  readonly before: StoredPolicy | undefined;
  own: StoredPolicy['own'];
  confirmedProductId: string | undefined;
  ownHash: string | undefined;
  /** How many transactions are not deleted. */
  count: number;
  lastOrdinal: number;
  updatedAt: string | undefined;
  /** The transactions that are needed: those that the lines name, and those that the policy has its fields from so far. */
  readonly transactions: Map<string, StoredTransaction>;
  /** Ids of transactions that have one of their own, by what identifies them otherwise. */
  readonly identities: Map<string, string>;
  /** Ids of the transactions that are new or amended. */
  readonly written: Set<string>;
  /** Ids of sales that are to be resolved again by all that is known now, also by what was imported since and dated earlier. */
  readonly reopened: Set<string>;
  /** Ids of sales that take nothing from an earlier transaction, since that is of another insured. */
  readonly ofOtherInsured: Set<string>;
  changed: boolean;
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
  confirmedProductId: before?.confirmedProductId,
  ownHash: before?.ownHash,
  count: before?.transactionCount ?? 0,
  lastOrdinal: before?.lastOrdinal ?? 0,
  updatedAt: undefined,
  transactions: new Map(transactions.map((transaction) => [transaction._id, transaction])),
  identities: new Map(identities),
  written: new Set(),
  reopened: new Set(),
  ofOtherInsured: new Set(),
  changed: false,
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
  const { type: _, isDeleted = draft.own?.isDeleted ?? false, ...own } = record;
  draft.own = { ...own, isDeleted };
  // What a record says of its product is newer than what a person confirmed.
  if (own.productMatchStatus !== undefined) draft.confirmedProductId = undefined;
  draft.ownHash = hash;
  draft.updatedAt = record.updatedAt;
  draft.changed = true;
  return draft.policyId;
}

/** A transaction's record, and what was read for it. */
interface TransactionChange {
  readonly owner: string;
  readonly record: PolicyTransactionRecord;
  readonly matching: Matching;
  /** Time for records that have none. */
  readonly at: string;
}

/** The id of the transaction with this identity, else the record's own: no `_id` makes a second one of the first. */
function idOf(draft: PolicyDraft, owner: string, record: PolicyTransactionRecord, identity: string): string {
  const found = draft.identities.get(identity) ?? identity;
  const known = draft.transactions.get(found);
  // What was found may have been corrected, and then identifies itself by something else.
  const isIt = known !== undefined && identityOf(owner, known) === identity;
  return isIt ? found : (record._id ?? found);
}

/**
 * Adds a transaction, or replaces the one with its identity; one that says nothing new changes nothing.
 * @returns its id.
 */
export function applyTransaction(
  draft: PolicyDraft,
  { owner, record, matching, at }: TransactionChange,
): string {
  const identity = identityOf(owner, record);
  const id = idOf(draft, owner, record, identity);
  const known = draft.transactions.get(id);
  const recordHash = hashOf(record);
  if (known !== undefined && (known.recordHash === recordHash || saysNothingNew(known, record))) return id;
  if (known === undefined) draft.lastOrdinal += 1;
  draft.count += countOf(record) - countOf(known);
  const { type: _, entityMatchStatus, agentMatchStatus, matchedAgents, ...fields } = record;
  const agency = agencyOf(record, known, matching);
  const transaction: StoredTransaction = {
    ...fields,
    ...agency,
    ...agentsOf(record, known, matching, agency, at),
    _id: id,
    policyId: draft.policyId,
    upstreamEntityId: owner,
    transactionFingerprint: record.transactionFingerprint ?? fingerprintOf(record),
    dedupResult: record.dedupResult ?? dedupResultOf(known, record),
    ...timesOf(record, known, at),
    ordinal: known?.ordinal ?? draft.lastOrdinal,
    recordHash,
    isAgencyNamed: namesAgency(record) ? true : undefined,
    confirmedProductId:
      known !== undefined && isOfSameProduct(known, record) ? known.confirmedProductId : undefined,
    sale: known?.sale,
    saleSources: known?.saleSources,
    soldOnBinding: known?.soldOnBinding,
  };
  draft.transactions.set(id, transaction);
  if (id !== identity) draft.identities.set(identity, id);
  draft.written.add(id);
  draft.updatedAt = record.updatedAt;
  draft.changed = true;
  return id;
}

/** Whether two transactions name their product alike: what a person confirmed of one holds for the other. */
const isOfSameProduct = (one: ProductFields, other: ProductFields): boolean =>
  (['productCode', 'productName'] as const).every(
    (field) => comparedValue(field, one[field]) === comparedValue(field, other[field]),
  );

const countOf = (one: { readonly isDeleted: boolean } | undefined): number =>
  one === undefined || one.isDeleted ? 0 : 1;

/** What a record says of its agency, else what a person confirmed, else what is found; the same goes for agents. */
function agencyOf(
  record: PolicyTransactionRecord,
  known: StoredTransaction | undefined,
  matching: Matching,
): AgencyMatch {
  const { entityMatchStatus, ...named } = record;
  if (entityMatchStatus !== undefined) return agencyFields({ ...named, entityMatchStatus });
  if (!namesAgency(record) && known?.entityMatchStatus === 'user confirmed') return agencyFields(known);
  return matching.agencyOf(record);
}

function agentsOf(
  record: PolicyTransactionRecord,
  known: StoredTransaction | undefined,
  matching: Matching,
  agency: AgencyMatch,
  at: string,
): AgentMatch {
  const { agentMatchStatus, matchedAgents = [] } = record;
  if (agentMatchStatus !== undefined) return { agentMatchStatus, matchedAgents };
  if (matchedAgents.length > 0) return { agentMatchStatus: 'auto matched', matchedAgents };
  if (known?.agentMatchStatus === 'user confirmed') {
    return { agentMatchStatus: known.agentMatchStatus, matchedAgents: known.matchedAgents };
  }
  return matching.agentsOf(record, agency, at);
}

/** What a transaction says of its agency. */
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
  { at, productMatchStatus }: Pick<ProductMatch, 'productMatchStatus'> & { readonly at: string },
): Policy {
  const { own, before } = draft;
  const [any] = draft.transactions.values();
  // The last two are of a policy that was deleted with its transactions, which callers do not see.
  const riskStateCode =
    sources.newest?.riskStateCode ?? own?.riskStateCode ?? before?.riskStateCode ?? any?.riskStateCode;
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
    createdAt: own?.createdAt ?? before?.createdAt ?? at,
    updatedAt: draft.updatedAt ?? at,
  };
}

/** What a person confirmed of the product, else what the policy's record says, else what is found. */
export function productOf(
  { own, confirmedProductId }: PolicyDraft,
  fields: ProductFields,
  matchProduct: MatchProduct,
): ProductMatch {
  if (confirmedProductId !== undefined) {
    return { productMatchStatus: 'user confirmed', productId: confirmedProductId };
  }
  if (own?.productMatchStatus !== undefined) return { productMatchStatus: own.productMatchStatus };
  return matchProduct(fields);
}
