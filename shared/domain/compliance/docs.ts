import { as, documented, type FieldDocs } from '../../platform/contract/documented.ts';
import {
  agencyRequirement,
  appointment,
  appointmentBy,
  appointmentOf,
  authority,
  carrierNaicCodes,
  complianceConfig,
  furtherLicense,
  homeState,
  licenseOf,
  lineAlternatives,
  lineRequirement,
  otherStates,
  productCode,
  productName,
  requiredElsewhere,
  requiredState,
  type ruleFields,
  stateRequirement,
  validFrom,
} from '../decision/compliance-config.ts';
import { complianceBasis, configBasis } from '../decision/compliance-statuses.ts';
import { complianceStatusDocs, statusPartsDocs } from '../decision/docs.ts';
import { agentIdDocs, productIdDocs } from '../identifiers/docs.ts';
import {
  licenseComplianceStatus,
  licenseComplianceStatusV1,
  policyComplianceStatus,
  policyComplianceStatusV1,
  statusAtEffectiveDate,
  statusAtSale,
  statusOfAgent,
} from './status.ts';

export const complianceBasisDocs = documented(complianceBasis, {
  id: 'ComplianceBasis',
  description: 'What the status is based on. The carrier’s identity is always the current one.',
  values: {
    history: 'Only what was recorded by the end of that day.',
    'registry dates': 'Also what was recorded later, by the dates in it; or nothing is recorded.',
    current: 'What is known now.',
  },
});

/** Words for the compliance status of a policy, or of a party to it. */
export const policyVerdictDocs = as(
  complianceStatusDocs,
  'Overall result of the license status and the appointment status; null where nothing is against it and something is not known.',
);

const statusOfSellerDocs = {
  complianceStatus: policyVerdictDocs,
  ...statusPartsDocs,
  basis: complianceBasisDocs,
};

export const configBasisDocs = documented(configBasis, {
  id: 'ConfigBasis',
  description: 'Which version of the product’s compliance config applied.',
  values: {
    version: 'The version in force on that day, as it was known.',
    'first version': 'The first version ever: none was in force on that day, or none was known then.',
  },
});

export const statusDocs = {
  complianceStatus: complianceStatusDocs,
  ...statusPartsDocs,
  basis: complianceBasisDocs,
  configBasis: configBasisDocs,
};

const statusOfPolicyDocs = { ...statusDocs, complianceStatus: policyVerdictDocs };

/** Who sold a policy. */
export const agentsDescription =
  'The agents who sold the policy and were found, each with their own status; the policy’s is the strictest of theirs and the agency’s. In the present status, only those who still work for the agency, under any of the organization’s associations with it, are listed and counted.';

export const statusOfAgentDocs = { agentId: agentIdDocs, ...statusOfSellerDocs };

const agentsDocs = as(
  documented(statusOfAgent, {
    id: 'PolicyAgentStatus',
    description: 'The status of an agent who sold a policy.',
    fields: statusOfAgentDocs,
  }),
  agentsDescription,
);

export const productNameDocs = documented(productName, {
  description: 'Name that the carrier gave the product in its compliance config.',
  examples: ['Contractors General Liability'],
});

const ofProductDocs = {
  npn: ['NPN whose licenses and appointments were checked; null for an agency without one.', '17654321'],
  productId: productIdDocs,
  productName: productNameDocs,
  stateCode: 'State whose licenses and appointments were checked.',
} as const;

const descriptionOfProduct = 'Whether a producer or an agency may sell a product in a state.';

const exampleOfProduct = {
  npn: '17654321',
  productId: '65f0c1d2e3a4b5c6d7e8f905',
  productName: 'Contractors General Liability',
  stateCode: 'TX',
  complianceStatus: 'NOT_COMPLIANT',
  licenseStatus: { statusName: 'Licensed' },
  appointmentStatus: { statusName: 'Not Appointed', statusMessages: ['No active appointment in TX.'] },
} as const;

const licenseComplianceStatusDocs = documented(licenseComplianceStatus, {
  id: 'LicenseComplianceStatus',
  description: descriptionOfProduct,
  examples: [{ ...exampleOfProduct, basis: 'current', configBasis: 'version' }],
  fields: { ...ofProductDocs, ...statusDocs },
});

documented(licenseComplianceStatusV1, {
  ...licenseComplianceStatusDocs,
  id: 'LicenseComplianceStatusV1',
  description: descriptionOfProduct,
  examples: [exampleOfProduct],
});

export const ofPolicyDocs = {
  policyId: 'Id of the policy that the agency may or may not service.',
  policyNumber: ['Number that the carrier gave that policy.', 'GL-2026-000123'],
  stateCode: 'State of the policy’s risk, whose licenses and appointments count.',
  productId:
    'The product whose requirements were applied; null when none is known for the policy, or when several share its name: then the strictest decides.',
  productName: 'Name of that product in its compliance config; null when none is known for the policy.',
} as const;

export const atEffectiveDateDocs = documented(statusAtEffectiveDate, {
  id: 'PolicyStatusAtEffectiveDate',
  description:
    'The status of who sold the policy last (“Sales”) on the day when it takes effect; null for a policy without an `effectiveDate`. A day in the future is judged by the dates that are known now. Of a policy without a sale, its present agency and agents are judged.',
  fields: {
    effectiveDate: 'The policy’s effective date; the status is that at the end of the day in New York.',
    ...statusOfPolicyDocs,
    agents: agentsDocs,
  },
});

export const atSaleDocs = documented(statusAtSale, {
  id: 'PolicyStatusAtSale',
  description:
    'The status of who sold the policy last, its latest `New` or `Renewal`, on the day of that sale, as in the list of sales (“Sales”); null for a policy without one. `licenseStatus` and `appointmentStatus` are null if nobody could be judged.',
  fields: {
    soldOn: 'Day of the sale, at whose end in New York it is judged.',
    ...statusOfPolicyDocs,
    agents: agentsDocs,
  },
});

const descriptionOfPolicy = 'Whether an agency, and the agents who sold it, may service a policy.';

export const exampleOfCompliance = {
  complianceStatus: 'COMPLIANT',
  licenseStatus: { statusName: 'Licensed' },
  appointmentStatus: { statusName: 'Appointed' },
} as const;

export const exampleOfPolicy = {
  policyId: '65f0c1d2e3a4b5c6d7e8f901',
  policyNumber: 'GL-2026-000123',
  stateCode: 'TX',
  productId: '65f0c1d2e3a4b5c6d7e8f905',
  productName: 'Contractors General Liability',
  ...exampleOfCompliance,
} as const;

export const exampleOfSeller = {
  agentId: '65f0c1d2e3a4b5c6d7e8f903',
  ...exampleOfCompliance,
  basis: 'current',
} as const;

export const exampleAtSale = {
  soldOn: '2026-03-20',
  ...exampleOfCompliance,
  basis: 'history',
  configBasis: 'version',
  agents: [{ ...exampleOfSeller, basis: 'history' }],
} as const;

documented(policyComplianceStatus, {
  id: 'PolicyComplianceStatus',
  description: descriptionOfPolicy,
  examples: [
    {
      ...exampleOfPolicy,
      basis: 'current',
      configBasis: 'version',
      agents: [exampleOfSeller],
      atEffectiveDate: {
        effectiveDate: '2026-04-15',
        complianceStatus: 'NOT_COMPLIANT',
        licenseStatus: {
          statusName: 'Expired License',
          statusMessages: ['The license in TX expired on 2026-03-31.'],
        },
        appointmentStatus: { statusName: 'Appointed' },
        basis: 'history',
        configBasis: 'version',
        agents: [{ ...exampleOfSeller, basis: 'history' }],
      },
      atSale: exampleAtSale,
    },
  ],
  fields: {
    ...ofPolicyDocs,
    ...statusOfPolicyDocs,
    agents: agentsDocs,
    atEffectiveDate: atEffectiveDateDocs,
    atSale: atSaleDocs,
  },
});

documented(policyComplianceStatusV1, {
  id: 'PolicyComplianceStatusV1',
  description: descriptionOfPolicy,
  examples: [exampleOfPolicy],
  fields: { ...ofPolicyDocs, complianceStatus: complianceStatusDocs, ...statusPartsDocs },
});

documented(lineRequirement, {
  id: 'LineRequirement',
  description: 'A code or a name as the registry reports it, or several of which any one is enough.',
  examples: ['16', { anyOf: ['11', '12'] }],
});

documented(lineAlternatives, {
  fields: { anyOf: ['Codes or names, such as that of a combined line.', ['16', '20']] },
});

const licenseClassesWords = 'each a code or a name as the registry reports it';

const furtherLicenseDocs = documented(furtherLicense, {
  id: 'FurtherLicense',
  description: 'A license that is required besides.',
  fields: {
    licenseClasses: [`The classes that it may be of: ${licenseClassesWords}.`, ['Surplus Lines Broker']],
    linesOfAuthority: [
      'The lines of authority that it must have, as in the requirement; none by default.',
      ['12'],
    ],
  },
});

const agencyRequirementDocs = documented(agencyRequirement, {
  id: 'AgencyRequirement',
  description: 'What is required of the agency instead.',
  fields: {
    linesOfAuthority: [
      'The lines of authority that an agency’s licenses must have, instead of those above.',
      [],
    ],
    appointmentLinesOfAuthority: [
      'The lines of authority that an agency’s appointments must be for, instead of those above.',
      ['PC'],
    ],
    licenseClasses: ['The classes that an agency’s licenses must be of, instead of those above.', ['BE']],
  },
});

const ruleDocs = {
  linesOfAuthority: {
    description:
      'The lines of authority that licenses must have, each met by its code or its name. Licenses and appointments may meet an entry by different ones. Empty if any license of a class that counts will do. `check-config`, a command of the service’s operators, names what no license there has.',
    examples: [['16', { anyOf: ['11', '12'] }]],
  },
  appointmentLinesOfAuthority: [
    'The lines of authority that appointments must be for instead, in a state whose codes of appointments are not those of licenses.',
    ['PC'],
  ],
  licenseClasses: [
    `The classes of which licenses must be: ${licenseClassesWords}. Without them, a license must be a producer’s: “How compliance is decided” says how classes are distinguished.`,
    ['PRO'],
  ],
  furtherLicenses: as(
    furtherLicenseDocs,
    'Licenses that are required besides, each met by one license of the agent or of the agency, such as that of a surplus lines broker.',
  ),
  licenseOf: documented(licenseOf, {
    id: 'LicenseOf',
    description: 'Who needs the license; the others’ license status is `Not Required`.',
    values: {
      both: 'The agency and the producer; the default.',
      agency: 'The agency alone.',
      agent: 'The producer alone.',
    },
  }),
  appointment: documented(appointment, {
    id: 'AppointmentRequirement',
    description: 'Whether the carrier must have appointed the producer.',
    values: {
      required: 'An appointment for every required line of authority must be in force.',
      'not required': 'No appointment is needed.',
      'on binding': 'The carrier appoints when it binds the first policy, so none is needed before.',
    },
  }),
  appointmentOf: documented(appointmentOf, {
    id: 'AppointmentOf',
    description: 'Who needs that appointment; the others’ appointment status is `Not Required`.',
    values: {
      both: 'The agency and the producer; the default.',
      agency: 'The agency alone.',
      agent: 'The producer alone.',
      either: 'The agency or the producer: one of the two is enough.',
    },
  }),
  appointmentBy: documented(appointmentBy, {
    id: 'AppointmentBy',
    description: 'Whose appointment it must be, where those of several insurers count.',
    values: {
      company: 'That of the company that writes the policy; the default.',
      group: 'That of any of them, as in states where one appointment counts for a group of companies.',
    },
  }),
  appointWithinDays: [
    'Days after a sale within which the carrier is to appoint, where `appointment` is `on binding` (“Sales”). Null, the default, for no limit.',
    15,
  ],
  homeState: documented(homeState, {
    id: 'HomeStateRequirement',
    description: 'Whether a non-resident license counts only while its holder is licensed at home.',
    values: {
      known: 'It counts only then, as far as the home state is known; the default.',
      ignored: 'It counts by itself.',
    },
  }),
  carrierNaicCodes: [
    'NAIC company codes of the insurers that write the product there. Only their appointments count, instead of those of the whole product.',
    ['19437'],
  ],
  agency: as(agencyRequirementDocs, 'What is required of the agency instead.'),
} satisfies FieldDocs<typeof ruleFields>;

const stateRequirementWords = {
  description: 'What a product requires of its producers in a state.',
  fields: { stateCode: 'State to which the requirements apply.', ...ruleDocs },
};
const stateRequirementDocs = documented(stateRequirement, {
  id: 'StateRequirement',
  ...stateRequirementWords,
});
export const requiredStateDocs = documented(requiredState, {
  id: 'StateRequirementInput',
  ...stateRequirementWords,
});

const otherStatesWords =
  'Requirements in the states that `states` does not list, with the same fields. Without them, nobody may sell the product there, and the statuses there are `State Not Configured`.';
const otherStatesDocs = documented(otherStates, {
  id: 'OtherStatesRequirement',
  description: otherStatesWords,
});
export const requiredElsewhereDocs = documented(requiredElsewhere, {
  id: 'OtherStatesRequirementInput',
  description: otherStatesWords,
});

export const authorityDocs = documented(authority, {
  id: 'AuthorityRequirement',
  description:
    'Whether an agent’s `authority` for the product, where the organization has given one, limits the states in which the agent may sell it today. `if stated` by default.',
  values: {
    ignored: 'It does not count.',
    'if stated': 'An agent with an `authority` for the product may sell it in its `approvedStates` alone.',
    required: 'An agent without an `authority` for the product may not sell it.',
  },
  examples: ['if stated'],
});

export const productCodeDocs = documented(productCode, {
  description: 'The carrier’s own code for the product, by which policies are matched with it.',
  examples: ['CGL'],
});

export const carrierNaicCodesDocs = documented(carrierNaicCodes, {
  description:
    'NAIC company codes of the insurers that write the product. Only their appointments count for it, instead of the organization’s own.',
  examples: [['19437']],
});

export const validFromDocs = documented(validFrom, {
  description:
    'Day, in America/New_York, from which these requirements are in force. Earlier versions are kept, and decide about the days before.',
  examples: ['2026-04-15'],
});

export const complianceConfigDocs = documented(complianceConfig, {
  id: 'ComplianceConfig',
  description: 'What a product requires of its producers, by state.',
  examples: [
    {
      productId: '65f0c1d2e3a4b5c6d7e8f905',
      productName: 'Contractors General Liability',
      productCode: 'CGL',
      states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
      validFrom: '2026-04-15',
    },
  ],
  fields: {
    productId: productIdDocs,
    productName: productNameDocs,
    productCode: productCodeDocs,
    carrierNaicCodes: carrierNaicCodesDocs,
    states: as(stateRequirementDocs, 'Requirements by state, each state once.'),
    otherStates: otherStatesDocs,
    authority: authorityDocs,
    validFrom: validFromDocs,
  },
});
