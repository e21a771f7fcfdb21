import { documented } from '#platform/contract/documented.ts';
import * as config from '../decision/compliance-config.ts';
import * as status from './status.ts';

documented(status.statusOfAgent, {
  id: 'PolicyAgentStatus',
  description: 'Whether an agent who sold a policy may sell it.',
  fields: { complianceStatus: 'Null where nothing is against it and something is not known.' },
});

export const agentsDescription =
  'The agents who sold the policy and were found; in the present status, only those who still work for the agency, under any of the organization’s associations with it. The policy’s status is the strictest of theirs and the agency’s.';

export const productNameDocs = documented(config.productName, {
  description: 'Name that the carrier gave the product in its compliance config.',
  examples: ['Contractors General Liability'],
});

documented(status.statusOfParty, {
  id: 'PartyStatus',
  description: 'The status of a party in a state today.',
});

documented(status.licenseComplianceStatus, {
  id: 'LicenseComplianceStatus',
  description: 'Whether a producer or an agency may sell a product in a state.',
  fields: {
    npn: ['NPN whose licenses and appointments were checked; null for an agency without one.', '17654321'],
  },
});

export const ofPolicyDocs = {
  policyNumber: ['Number that the carrier gave the policy.', 'GL-2026-000123'],
  stateCode: 'State of the risk, whose licenses and appointments count.',
  productId: 'Null where no product is known, or several share the name: then the strictest decides.',
} as const;

const policyStatusDocs = {
  complianceStatus: 'Null where nothing is against it and something is not known.',
  agents: agentsDescription,
} as const;

documented(status.statusAtEffectiveDate, {
  id: 'PolicyStatusAtEffectiveDate',
  description:
    'The status of who sold the policy last (“Sales”) at the end of its effective date in New York, a future one by what is known now; null without an `effectiveDate`. Of a policy without a sale, its present agency and agents are judged.',
  fields: policyStatusDocs,
});

documented(status.statusAtSale, {
  id: 'PolicyStatusAtSale',
  description:
    'The status of who sold the policy last on the day of that sale (“Sales”); null without a sale. `licenseStatus` and `appointmentStatus` are null if nobody could be judged.',
  fields: policyStatusDocs,
});

const descriptionOfPolicy = 'Whether an agency, and the agents who sold it, may service a policy.';

documented(status.policyComplianceStatus, {
  id: 'PolicyComplianceStatus',
  description: descriptionOfPolicy,
  fields: { ...ofPolicyDocs, ...policyStatusDocs },
});

documented(status.policyComplianceStatusV1, {
  id: 'PolicyComplianceStatusV1',
  description: descriptionOfPolicy,
  fields: ofPolicyDocs,
});

documented(config.lineRequirement, {
  id: 'LineRequirement',
  description: 'A code or a name as the registry reports it, or several of which any one is enough.',
  examples: ['16', { anyOf: ['11', '12'] }],
});

documented(config.lineAlternatives, {
  fields: { anyOf: ['Codes or names, such as that of a combined line.', ['16', '20']] },
});

documented(config.furtherLicense, {
  id: 'FurtherLicense',
  description: 'A license that is required besides, such as that of a surplus lines broker.',
  examples: [{ licenseClasses: ['Surplus Lines Broker'] }],
});

documented(config.agencyRequirement, {
  id: 'AgencyRequirement',
  description: 'What is required of the agency instead.',
  examples: [{ appointmentLinesOfAuthority: ['PC'] }],
});

const ruleDocs = {
  linesOfAuthority: {
    description:
      'The lines of authority that licenses must have. Licenses and appointments may meet an entry by different ones. Empty if any license of a class that counts will do.',
    examples: [['16', { anyOf: ['11', '12'] }]],
  },
  appointmentLinesOfAuthority: [
    'Those that appointments must be for instead, in a state whose codes of appointments are not those of licenses.',
    ['PC'],
  ],
  licenseClasses: [
    'The classes of which licenses must be, by codes or names. Without them, a license must be a producer’s (“How compliance is decided”).',
    ['PRO'],
  ],
  furtherLicenses: 'Each is met by one license of the agent or of the agency.',
  appointWithinDays: [
    'Days after a sale within which the carrier is to appoint `on binding` (“Sales”). Null, the default, for no limit.',
    15,
  ],
  carrierNaicCodes: [
    'Insurers that write the product there, instead of those of the whole product.',
    ['19437'],
  ],
} as const;

const partyMeanings = {
  both: 'Agency and producer; the default.',
  agency: 'The agency.',
  agent: 'The producer.',
};

documented(config.licenseOf, {
  id: 'LicenseOf',
  description: 'Who needs the license; the others’ license status is `Not Required`.',
  values: partyMeanings,
});

documented(config.appointment, {
  id: 'AppointmentRequirement',
  description: 'Whether the carrier must have appointed the producer.',
  values: {
    required: 'An appointment for every required line of authority must be in force.',
    'not required': 'No appointment is needed.',
    'on binding': 'The carrier appoints when it binds the first policy, so none is needed before.',
  },
});

documented(config.appointmentOf, {
  id: 'AppointmentOf',
  description: 'Who needs that appointment; the others’ appointment status is `Not Required`.',
  values: {
    ...partyMeanings,
    either: 'One of the two is enough for a sale; statuses and events of one alone judge it alone.',
  },
});

documented(config.appointmentBy, {
  id: 'AppointmentBy',
  description: 'Whose appointment it must be, where those of several insurers count.',
  values: {
    company: 'That of the company that writes the policy; the default.',
    group: 'That of any of them, as in states where one appointment counts for a group of companies.',
  },
});

documented(config.homeState, {
  id: 'HomeStateRequirement',
  description: 'Whether a non-resident license counts only while its holder is licensed at home.',
  values: {
    known: 'It counts only then, as far as the home state is known; the default.',
    ignored: 'It counts by itself.',
  },
});

documented(config.stateRequirement, {
  id: 'StateRequirement',
  description: 'What a product requires in a state.',
  examples: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
  fields: ruleDocs,
});

documented(config.otherStates, {
  id: 'OtherStatesRequirement',
  description:
    'Requirements in the states that `states` does not list. Without them, nobody may sell the product there, and the statuses there are `State Not Configured`.',
  examples: [{ linesOfAuthority: ['16'], appointment: 'required' }],
  fields: ruleDocs,
});

documented(config.authority, {
  id: 'AuthorityRequirement',
  description:
    'Whether an agent’s `authority` for the product, where the organization has given one, limits the states in which the agent may sell it today. `if stated` by default.',
  values: {
    ignored: 'It does not count.',
    'if stated': 'An agent with an `authority` for the product may sell it in its `approvedStates` alone.',
    required: 'An agent without an `authority` for the product may not sell it.',
  },
});

documented(config.productCode, {
  description: 'The carrier’s own code for the product, by which policies are matched with it.',
  examples: ['CGL'],
});

documented(config.carrierNaicCodes, {
  description:
    'NAIC company codes of the insurers that write the product. Only their appointments count for it, instead of the organization’s own.',
  examples: [['19437']],
});

documented(config.validFrom, {
  description: 'Day, in America/New_York, from which these requirements are in force.',
  examples: ['2026-04-15'],
});

export const complianceConfigDocs = documented(config.complianceConfig, {
  id: 'ComplianceConfig',
  description: 'What a product requires of its producers, by state.',
  fields: { states: 'Each state once.' },
});
