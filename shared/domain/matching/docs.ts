import type { AgencyEvidence, AgentEvidence } from './rules.ts';

// What evidence is compared with.

export const agencyRuleDocs = {
  producerCode: 'the `producerCode` of one of the organization’s associations, apart from case',
  npn: 'the NPN of the agency',
  fein: 'the EIN of the agency, with or without the hyphen',
  license: 'a license that the organization’s registry records have for the agency’s NPN, apart from case',
  name: 'the legal name of the agency, apart from case, accents, punctuation, spaces, and legal endings; if either name has two, around a “d/b/a”, one of them',
} satisfies Record<AgencyEvidence, string>;

export const agentRuleDocs = {
  npn: 'the NPN of one of the organization’s agents',
  license: 'a license that the organization’s registry records have for the agent’s NPN, apart from case',
  name: 'first and last name of an agent at one of the matched agency’s associations; for names with hyphens, and last names of several words, one part is enough; written as “Last, First” or “First Last”, with or without “Jr.” and the like',
} satisfies Record<AgentEvidence, string>;
