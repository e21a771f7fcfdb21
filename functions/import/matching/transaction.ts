import type { PolicyTransaction } from '../../../shared/domain/policies/policy-transaction.ts';

/** The fields of a transaction by which it is matched, as a record or an earlier import gives them. */
export type MatchedFields = Pick<
  PolicyTransaction,
  | 'agencyName'
  | 'agencyNpn'
  | 'agencyFein'
  | 'agencyLicenseNumber'
  | 'agencyLicensedStateCode'
  | 'producerCode'
  | 'branchName'
  | 'agentName'
  | 'agentNpn'
  | 'agentLicenseNumber'
  | 'agentLicensedState'
>;

/** The association or the agency that a record names itself. */
export type NamedAgency = Partial<
  Pick<PolicyTransaction, 'downstreamEntityId' | 'upstreamDownstreamAssociationId'>
>;

/** A text that says something, as it is compared; by default trimmed. */
export const given = (
  text: string | undefined,
  comparable = (written: string) => written.trim(),
): string | undefined => {
  const value = comparable(text ?? '');
  return value === '' ? undefined : value;
};

/** Whether a transaction states a number, and another one than the known one; where nothing is known, none differs. */
export function differs(
  stated: string | undefined,
  known: string | null | undefined,
  comparable: (written: string) => string,
): boolean {
  const [one, other] = [given(stated, comparable), given(known ?? undefined, comparable)];
  return one !== undefined && other !== undefined && one !== other;
}
