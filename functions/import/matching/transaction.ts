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

/** A text that says something. */
export const given = (text: string | undefined): string | undefined => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
};
