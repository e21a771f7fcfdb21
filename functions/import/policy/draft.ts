import * as z from 'zod/mini';
import { invalid } from '../../../shared/contract/errors.ts';
import { derivedObjectId } from '../../../shared/data/object-id.ts';
import { type Policy, policy, policyFields } from '../../../shared/resources/policy.ts';
import { policyTransaction } from '../../../shared/resources/policy-transaction.ts';
import { timesOf } from '../common-fields.ts';
import { hashOf } from '../record-hash.ts';
import { type PolicyRecord, type PolicyTransactionRecord, policyOwnFields } from './schema.ts';

/** A policy's item: what callers see, and the state of its import. */
export const storedPolicy = z.extend(policy, {
  isDeleted: z.boolean(),
  /** Rises with every write, so that one of two concurrent writers is refused. */
  version: z.int(),
  /** The content of the policy's own record; absent while only transactions were imported. */
  own: z.optional(z.object(policyOwnFields)),
  ownHash: z.optional(z.string()),
  newestTransactionId: z.optional(z.string()),
});

export type StoredPolicy = z.output<typeof storedPolicy>;

export const storedTransaction = z.extend(policyTransaction, {
  /** Position among its policy's transactions, from 1, in the order they were received. */
  ordinal: z.int(),
  recordHash: z.string(),
});

export type StoredTransaction = z.output<typeof storedTransaction>;

/** A policy during the import of lines. */
export interface PolicyDraft {
  readonly policyId: string;
  /** As it was read; undefined for one that is new. */
  readonly before: StoredPolicy | undefined;
  own: StoredPolicy['own'];
  ownHash: string | undefined;
  isDeleted: boolean;
  count: number;
  updatedAt: string | undefined;
  /** The transactions that are needed: those that the lines name, and the newest so far. */
  readonly transactions: Map<string, StoredTransaction>;
  /** Ids of the transactions that are new or amended. */
  readonly written: Set<string>;
  changed: boolean;
}

export const newDraft = (
  policyId: string,
  before: StoredPolicy | undefined,
  transactions: readonly StoredTransaction[],
): PolicyDraft => ({
  policyId,
  before,
  own: before?.own,
  ownHash: before?.ownHash,
  isDeleted: before?.isDeleted ?? false,
  count: before?.transactionCount ?? 0,
  updatedAt: undefined,
  transactions: new Map(transactions.map((one) => [one._id, one])),
  written: new Set(),
  changed: false,
});

/** A transaction without an id gets one derived from its content, so that the same line is the same record. */
export const transactionId = (owner: string, record: PolicyTransactionRecord): string =>
  record._id ??
  derivedObjectId(
    owner,
    'policy-transaction',
    record.policyNumber,
    record.uniqueTransactionId ?? hashOf(record),
  );

/** @throws ApiError `validation_error` when the record's id is not the one its policy number already has. */
export function applyPolicy(draft: PolicyDraft, record: PolicyRecord): void {
  if (record._id !== undefined && record._id !== draft.policyId) {
    throw invalid({
      path: '_id',
      message: `policy number ${record.policyNumber} belongs to ${draft.policyId}`,
    });
  }
  const hash = hashOf(record);
  if (hash === draft.ownHash) return;
  const { type: _, isDeleted, ...own } = record;
  draft.own = own;
  draft.ownHash = hash;
  draft.isDeleted = isDeleted ?? draft.isDeleted;
  draft.updatedAt = record.updatedAt;
  draft.changed = true;
}

/** @param at time for records that have none. */
export function applyTransaction(
  draft: PolicyDraft,
  owner: string,
  record: PolicyTransactionRecord,
  at: string,
): void {
  const id = transactionId(owner, record);
  const recordHash = hashOf(record);
  const known = draft.transactions.get(id);
  if (known?.recordHash === recordHash) return;
  if (known === undefined) draft.count += 1;
  const { type: _, ...fields } = record;
  draft.transactions.set(id, {
    ...fields,
    _id: id,
    policyId: draft.policyId,
    upstreamEntityId: owner,
    transactionFingerprint: record.transactionFingerprint ?? recordHash,
    ...timesOf(record, known, at),
    ordinal: known?.ordinal ?? draft.count,
    recordHash,
  });
  draft.written.add(id);
  draft.updatedAt = record.updatedAt;
  draft.changed = true;
}

/** Whether the newest transaction was amended: it may no longer be the newest, and all of them must be read. */
export const newestWasAmended = ({ before, written }: PolicyDraft): boolean =>
  before?.newestTransactionId !== undefined && written.has(before.newestTransactionId);

/** The newest transaction by date; among equals the one received last. */
export function newestOf(transactions: Iterable<StoredTransaction>): StoredTransaction | undefined {
  let newest: StoredTransaction | undefined;
  for (const one of transactions) if (newest === undefined || isNewer(one, newest)) newest = one;
  return newest;
}

function isNewer(one: StoredTransaction, than: StoredTransaction): boolean {
  const difference = Date.parse(one.policyTransactionDate) - Date.parse(than.policyTransactionDate);
  return difference > 0 || (difference === 0 && one.ordinal > than.ordinal);
}

const businessFields = z.object(policyFields);

/** The business fields that a policy shares with its transactions. */
const carriedBy = (carrier: object): z.output<typeof businessFields> => z.parse(businessFields, carrier);

/**
 * The policy as callers will see it: fields of its newest transaction, and those that it lacks from the policy's record.
 * @throws ApiError `validation_error` when neither says in which state the risk is.
 */
export function viewOf(
  draft: PolicyDraft,
  policyNumber: string,
  newest: StoredTransaction | undefined,
  at: string,
): Policy {
  const { own, before } = draft;
  const riskStateCode = newest?.riskStateCode ?? own?.riskStateCode;
  if (riskStateCode === undefined) {
    throw invalid({ path: 'riskStateCode', message: 'is required for a policy without transactions' });
  }
  return {
    ...carriedBy(own ?? {}),
    ...carriedBy(newest ?? {}),
    _id: draft.policyId,
    policyNumber,
    currentStatus: own?.currentStatus ?? 'bound',
    productMatchStatus: own?.productMatchStatus ?? 'unmatched',
    entityMatchStatus: newest?.entityMatchStatus ?? own?.entityMatchStatus ?? 'unmatched',
    riskStateCode,
    transactionCount: draft.count,
    createdAt: own?.createdAt ?? before?.createdAt ?? at,
    updatedAt: draft.updatedAt ?? at,
  };
}
