import { createHash } from 'node:crypto';
import { fingerprintFields } from '../../../shared/domain/matching/rules.ts';
import type { PolicyTransaction } from '../../../shared/domain/policies/policy-transaction.ts';
import { isDeepStrictEqual } from '../../../shared/platform/data/node-util.ts';
import { derivedObjectId } from '../../../shared/platform/data/object-id.ts';
import type { PolicyTransactionRecord } from './schema.ts';

type BusinessFields = Pick<PolicyTransactionRecord, (typeof fingerprintFields)[number]>;

/** SHA-256 over what a transaction says of the policy (OpenAPI, "Matching"), in hexadecimal. */
export const fingerprintOf = (transaction: BusinessFields): string => {
  const values = fingerprintFields.map((field) => transaction[field] ?? null);
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
export const saysNothingNew = (stored: PolicyTransaction, record: PolicyTransactionRecord): boolean =>
  fingerprintOf(stored) === fingerprintOf(record) &&
  ownFields.every((field) => record[field] === undefined || isDeepStrictEqual(record[field], stored[field]));

/** How a transaction that is written compares with the stored one of its identity. */
export function dedupResultOf(
  known: PolicyTransaction | undefined,
  record: PolicyTransactionRecord,
): PolicyTransaction['dedupResult'] {
  if (known === undefined) return 'new';
  return fingerprintOf(known) === fingerprintOf(record) ? known.dedupResult : 'amended';
}
