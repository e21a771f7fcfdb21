// How the import of policy transactions decides whose a policy is: the rules as data, which the OpenAPI document prints. What is
// read for them, and which branch of an agency it is, stands in `functions/import/matching`.
import { policyFields } from '../policies/resource.ts';

/** Confidence from which a match needs no person. */
export const autoMatchedFrom = 0.9;

/** Confidence from which evidence that names another agency or agent disputes the match. */
export const strongFrom = 0.95;

export interface Rule {
  /** Fields of the transaction, all of which it must have. */
  readonly fields: readonly string[];
  /** Certainty of a match by this evidence alone, from 0 to 1. */
  readonly confidence: number;
}

/** Evidence by which a transaction may know its agency. */
export const agencyRules = {
  producerCode: { fields: ['producerCode'], confidence: 1 },
  npn: { fields: ['agencyNpn'], confidence: 1 },
  fein: { fields: ['agencyFein'], confidence: 0.95 },
  license: { fields: ['agencyLicenseNumber', 'agencyLicensedStateCode'], confidence: 0.95 },
  name: { fields: ['agencyName'], confidence: 0.8 },
} as const satisfies Readonly<Record<string, Rule>>;

/** Evidence by which a transaction may know its agent; the names are those of `matchSource`. */
export const agentRules = {
  npn: { fields: ['agentNpn'], confidence: 1 },
  license: { fields: ['agentLicenseNumber', 'agentLicensedState'], confidence: 0.95 },
  name: { fields: ['agentName'], confidence: 0.8 },
} as const satisfies Readonly<Record<string, Rule>>;

export type AgencyEvidence = keyof typeof agencyRules;
export type AgentEvidence = keyof typeof agentRules;

/** The fields that a transaction’s fingerprint is made of, in this order: what happened to the policy, and its business fields. */
export const fingerprintFields = [
  'policyNumber',
  'policyTransactionType',
  'policyTransactionDate',
  'riskStateCode',
  ...(Object.keys(policyFields.shape) as (keyof typeof policyFields.shape)[]),
  'branchName',
] as const;

/** Fingerprint fields that are compared as numbers, by letters and digits without case and leading zeros. */
export const fingerprintNumbers = [
  'agencyNpn',
  'agencyFein',
  'agencyLicenseNumber',
  'agentNpn',
  'agentLicenseNumber',
  'carrierNaicCode',
  'filingNumber',
  'slaNumber',
  'licenseNumber',
  'npn',
] as const satisfies readonly (typeof fingerprintFields)[number][];

/** Fingerprint fields that are compared by their calendar date, as it is written. */
export const fingerprintDates = [
  'policyTransactionDate',
  'effectiveDate',
  'expiryDate',
] as const satisfies readonly (typeof fingerprintFields)[number][];
