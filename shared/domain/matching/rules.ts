// How the import of policy transactions decides whose a policy is: the rules as data, which the OpenAPI document prints.
import { policyFields } from '../policies/resource.ts';

/** From this confidence a match needs no person. */
export const autoMatchedFrom = 0.9;

/** From this confidence a clue that names another agency or agent disputes the match. */
export const strongFrom = 0.95;

interface Rule {
  /** Fields of the transaction, all of which it must have. */
  readonly fields: readonly string[];
  /** How certain a match by this clue alone is, from 0 to 1. */
  readonly confidence: number;
  /** What the clue is compared with. Text of the documentation. */
  readonly meaning: string | false;
}

/** What a transaction may know its agency by. */
export const agencyRules = {
  producerCode: {
    fields: ['producerCode'],
    confidence: 1,
    meaning: DOCUMENTED && 'the `producerCode` of one of the organization’s associations, apart from case',
  },
  npn: {
    fields: ['agencyNpn'],
    confidence: 1,
    meaning: DOCUMENTED && 'the NPN of the agency, apart from leading zeros',
  },
  fein: {
    fields: ['agencyFein'],
    confidence: 0.95,
    meaning: DOCUMENTED && 'the EIN of the agency, with or without the hyphen',
  },
  license: {
    fields: ['agencyLicenseNumber', 'agencyLicensedStateCode'],
    confidence: 0.95,
    meaning:
      DOCUMENTED &&
      'a license that the organization’s registry records have for the agency’s NPN, apart from case',
  },
  name: {
    fields: ['agencyName'],
    confidence: 0.8,
    meaning:
      DOCUMENTED &&
      'the legal name of the agency, apart from case, accents, punctuation, spaces, and legal endings; where either name has two, around a “d/b/a”, one of them',
  },
} as const satisfies Readonly<Record<string, Rule>>;

/** What a transaction may know its agent by; the names are those of `matchSource`. */
export const agentRules = {
  npn: {
    fields: ['agentNpn'],
    confidence: 1,
    meaning: DOCUMENTED && 'the NPN of one of the organization’s agents, apart from leading zeros',
  },
  license: {
    fields: ['agentLicenseNumber', 'agentLicensedState'],
    confidence: 0.95,
    meaning:
      DOCUMENTED &&
      'a license that the organization’s registry records have for the agent’s NPN, apart from case',
  },
  name: {
    fields: ['agentName'],
    confidence: 0.8,
    meaning:
      DOCUMENTED &&
      'first and last name of an agent at one of the matched agency’s associations; of names with hyphens also one part',
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type AgencyClue = keyof typeof agencyRules;
export type AgentClue = keyof typeof agentRules;

/** The fields that a transaction’s fingerprint is made of, in this order: what happened to the policy, and its business fields. */
export const fingerprintFields = [
  'policyNumber',
  'policyTransactionType',
  'policyTransactionDate',
  'riskStateCode',
  ...(Object.keys(policyFields()) as (keyof ReturnType<typeof policyFields>)[]),
  'branchName',
] as const;
