import { asOfQueryDocs } from '../../platform/contract/docs.ts';
import { as, documented, type FieldDocs } from '../../platform/contract/documented.ts';
import {
  agentsDescription,
  atEffectiveDateDocs,
  atSaleDocs,
  exampleAtSale,
  exampleOfCompliance,
  exampleOfPolicy,
  exampleOfSeller,
  ofPolicyDocs,
  policyVerdictDocs,
  statusDocs,
  statusOfAgentDocs,
} from '../compliance/docs.ts';
import { currentStatusDocs } from '../policies/docs.ts';
import { reasonDocs, warningDocs } from '../sale-checks/docs.ts';
import {
  appointmentDue,
  bookGroup,
  type bookQuery,
  bookRow,
  bookSummary,
  dueCompany,
  dueParty,
  dueStatus,
  namedAgent,
  policyVerdictFilter,
  saleRow,
  salesGroup,
  type salesQuery,
  salesSummary,
  saleType,
} from './resource.ts';
import { daysOfLate } from './sales.ts';

const verdictFilterDocs = documented(policyVerdictFilter, {
  description: 'Compliance status of the policies to return.',
  values: {
    COMPLIANT: 'Everything that the product requires was found in force.',
    NOT_COMPLIANT: 'Something that the product requires is not in force.',
    NOT_KNOWN: 'The `complianceStatus` is null: nothing is against it and something is not known.',
  },
});

export const bookQueryDocs = {
  complianceStatus: verdictFilterDocs,
  atEffectiveDate: as(
    verdictFilterDocs,
    'Compliance status of the policies to return, on their effective date.',
  ),
  atSale: as(
    verdictFilterDocs,
    'Compliance status of the policies to return, on the day of their latest sale: with `NOT_COMPLIANT`, those that were last sold without a license or an appointment.',
  ),
  stateCode: 'State of the risk of the policies to return.',
  productId: 'Id of the product of the policies to return, as they show it.',
  effectiveFrom: [
    'First effective date of the policies to return; one without an `effectiveDate` is left out.',
    '2026-01-01',
  ],
  effectiveUntil: [
    'Last effective date of the policies to return; one without an `effectiveDate` is left out.',
    '2026-12-31',
  ],
  inForceOn: [
    'Day on which the policies to return are in force: a term has begun, its `expiryDate` is later, and no cancellation has ended it.',
    '2026-06-30',
  ],
  ...asOfQueryDocs,
} satisfies FieldDocs<typeof bookQuery>;

const { licenseStatus, appointmentStatus, basis, configBasis } = statusDocs;

const exampleOfAgent = {
  npn: '8123456',
  firstName: 'Maria',
  lastName: 'Delgado',
  licenseNumber: '1234567',
  ...exampleOfSeller,
} as const;

const namedAgentDocs = documented(namedAgent, {
  fields: {
    ...statusOfAgentDocs,
    npn: 'National Producer Number of the agent.',
    firstName: 'First name of the agent, as of today.',
    lastName: 'Last name of the agent, as of today.',
    licenseNumber:
      'Number of the agent’s license in the state, of the one that counts; where none does, of the only one there, else null.',
  },
});

documented(bookRow, {
  id: 'PolicyCompliance',
  description: 'A policy of any agency, and whether that agency, and the agents who sold it, may service it.',
  examples: [
    {
      ...exampleOfPolicy,
      currentStatus: 'bound',
      premiumAmountInUSD: 12500.5,
      effectiveDate: '2026-04-15',
      expiryDate: '2027-04-15',
      soldOn: '2026-03-20',
      upstreamDownstreamAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
      downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
      basis: 'current',
      configBasis: 'version',
      warnings: [],
      agents: [exampleOfAgent],
      atEffectiveDate: {
        effectiveDate: '2026-04-15',
        ...exampleOfCompliance,
        basis: 'history',
        configBasis: 'version',
        agents: [{ ...exampleOfSeller, basis: 'history' }],
      },
      atSale: exampleAtSale,
    },
  ],
  fields: {
    ...ofPolicyDocs,
    currentStatus: currentStatusDocs,
    premiumAmountInUSD:
      'Premium of the policy’s transactions since its latest `New` or `Renewal`, that one included, in US dollars and whole cents; null if none is known.',
    effectiveDate: 'When coverage begins, as the policy has it; null if that is not known.',
    expiryDate: 'When coverage ends, as the policy has it; null if that is not known.',
    soldOn: 'Day of the latest sale of the policy (“Sales”); null if there is none.',
    upstreamDownstreamAssociationId:
      'Id of the association with the agency that is judged; null if nobody is.',
    downstreamEntityId: 'Id of that agency or branch; null if nobody is judged.',
    complianceStatus: as(
      policyVerdictDocs,
      'Overall result for the agency and the agents; null if nobody is judged, or if nothing is against it and something is not known.',
    ),
    licenseStatus,
    appointmentStatus,
    basis: as(basis, 'What the status is based on; null if nobody is judged.'),
    configBasis: as(
      configBasis,
      'Which version of the product’s compliance config applied; null if nobody is judged.',
    ),
    statusMessages: [
      'Why nobody is judged, in sentences for people: the agency was not identified, is in manual review, or has no association; absent otherwise. The present statuses are null then.',
      ['The agency is in manual review.'],
    ],
    warnings: as(warningDocs, {
      description: 'What is worth knowing about the present status, and never changes it; often empty.',
    }),
    agents: as(namedAgentDocs, { description: agentsDescription }),
    atEffectiveDate: atEffectiveDateDocs,
    atSale: atSaleDocs,
  },
});

const premiumOf = (what: 'policies' | 'sales') =>
  [
    `Premium of those ${what} in US dollars: each is rounded to cents, and their sum is exact up to 70 trillion dollars; one without a premium counts as 0.`,
    1_250_500.75,
  ] as const;

const totals = {
  policies: ['How many policies there are.', 412],
  premiumAmountInUSD: premiumOf('policies'),
} as const;

const groupDocs = documented(bookGroup, {
  fields: {
    complianceStatus: as(
      policyVerdictDocs,
      'Their compliance status; null where nobody is judged, or where it is not known.',
    ),
    atEffectiveDate: as(
      policyVerdictDocs,
      'Their compliance status on their effective dates; null where nobody is judged, where it is not known, and without such a date.',
    ),
    atSale: as(
      policyVerdictDocs,
      'Their compliance status on the day of their latest sale; null where it is not known, and without a sale.',
    ),
    stateCode: 'State of their risk.',
    productId: 'Id of their product, as the list shows it; null where it is not clear.',
    ...totals,
  },
});

documented(bookSummary, {
  id: 'PolicyComplianceSummary',
  description: 'How many policies there are for each outcome, state, and product, and their premium.',
  examples: [
    {
      policies: 412,
      premiumAmountInUSD: 1_250_500.75,
      groups: [
        {
          complianceStatus: 'COMPLIANT',
          atEffectiveDate: 'COMPLIANT',
          atSale: 'COMPLIANT',
          stateCode: 'TX',
          productId: '65f0c1d2e3a4b5c6d7e8f905',
          policies: 412,
          premiumAmountInUSD: 1_250_500.75,
        },
      ],
    },
  ],
  fields: {
    ...totals,
    groups: as(groupDocs, 'The same by outcome, state, and product: every policy is in one group.'),
  },
});

export const dueStatusDocs = documented(dueStatus, {
  description: 'What became of the appointment.',
  values: {
    due: 'It is to be made, and there is time left, or no limit.',
    overdue: 'It is to be made, and the time has passed.',
    late: `It was made after \`dueOn\`, within the last ${daysOfLate} days.`,
  },
});

const duePartyDocs = documented(dueParty, {
  description: 'Who is to be appointed.',
  values: { agent: 'An agent who made the sale.', agency: 'The agency.' },
});

const dueCompanyDocs = documented(dueCompany, {
  fields: {
    carrierNaicCode: 'Its NAIC code, if the sale names it.',
    name: ['Its name, if the sale names it.', 'Beacon Specialty'],
  },
});

documented(appointmentDue, {
  id: 'AppointmentDue',
  description: 'An agency or an agent whom the carrier is to appoint after a sale, or appointed late.',
  examples: [
    {
      dueStatus: 'due',
      party: 'agent',
      agentId: '65f0c1d2e3a4b5c6d7e8f903',
      downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
      company: { carrierNaicCode: '19437', name: 'Beacon Specialty' },
      stateCode: 'TX',
      linesOfAuthority: ['16'],
      productId: '65f0c1d2e3a4b5c6d7e8f905',
      policyId: '65f0c1d2e3a4b5c6d7e8f901',
      policyNumber: 'GL-2026-000123',
      soldOn: '2026-04-10',
      dueOn: '2026-04-25',
      daysLeft: 10,
      appointedOn: null,
    },
  ],
  fields: {
    dueStatus: dueStatusDocs,
    party: duePartyDocs,
    agentId: 'Id of the agent to appoint; null for an agency.',
    downstreamEntityAssociationId: 'Id of the association with the agency that made the sale.',
    company: as(dueCompanyDocs, {
      description: 'The insurer on whose paper it was sold; null if the sale names none.',
    }),
    stateCode: 'State in which the appointment is to be made, that of the risk.',
    linesOfAuthority: [
      'The lines of authority for which an appointment was missing on the day of sale, as the compliance config has them; empty if any appointment will do.',
      ['16'],
    ],
    productId: 'Id of the product that was sold; null where several may be meant.',
    policyId: 'Id of the policy that was sold, the `_id` of `getPolicy`.',
    policyNumber: ['Number that the carrier gave that policy.', 'GL-2026-000123'],
    soldOn: 'Day of the sale (“Sales”).',
    dueOn:
      'Last day on which the appointment is on time: `appointWithinDays` after the first sale without one; null without a limit.',
    daysLeft:
      'Days from today, in America/New_York, until `dueOn`; negative when that has passed. Null without it, and once the appointment is made.',
    appointedOn: 'First day after the sale on which the appointment is in force; null until it is made.',
  },
});

const saleTypeDocs = documented(saleType, {
  description: 'Which kind of sale it is.',
  values: { New: 'A policy was written.', Renewal: 'A policy was renewed for another term.' },
});

export const salesQueryDocs = {
  complianceStatus: as(verdictFilterDocs, 'Compliance status of the sales to return, on their days.'),
  policyTransactionType: as(saleTypeDocs, 'Kind of the sales to return.'),
  soldFrom: ['First day of sale to return.', '2026-01-01'],
  soldUntil: ['Last day of sale to return.', '2026-03-31'],
  stateCode: 'State of the risk of the sales to return.',
  productId: 'Id of the product of the sales to return, as they show it.',
  agentId: 'Id of an agent who made the sales to return.',
  downstreamEntityAssociationId: 'Id of the association with the agency that made the sales to return.',
  knownAt: asOfQueryDocs.knownAt,
} satisfies FieldDocs<typeof salesQuery>;

const ofSales = {
  sales: ['How many sales there are.', 412],
  premiumAmountInUSD: premiumOf('sales'),
} as const;

documented(saleRow, {
  id: 'PolicySale',
  description: 'A New or a Renewal, and whether those who sold it could on that day.',
  examples: [
    {
      transactionId: '65f0c1d2e3a4b5c6d7e8f907',
      policyId: exampleOfPolicy.policyId,
      policyNumber: exampleOfPolicy.policyNumber,
      insuredName: 'Acme Roofing LLC',
      policyTransactionType: 'New',
      soldOn: '2026-04-10',
      effectiveDate: '2026-04-15',
      stateCode: exampleOfPolicy.stateCode,
      productId: exampleOfPolicy.productId,
      productName: exampleOfPolicy.productName,
      carrierNaicCode: '19437',
      premiumAmountInUSD: 12500.5,
      upstreamDownstreamAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
      downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
      agents: [{ ...exampleOfAgent, basis: 'history' }],
      complianceStatus: 'COMPLIANT',
      licenseStatus: { statusName: 'Licensed' },
      appointmentStatus: { statusName: 'Appointed' },
      reasons: [],
      warnings: [],
      appointmentDueOn: null,
      appointedOn: null,
      basis: 'history',
      configBasis: 'version',
    },
  ],
  fields: {
    transactionId: 'Id of the policy transaction that is the sale.',
    policyId: ofPolicyDocs.policyId,
    policyNumber: ofPolicyDocs.policyNumber,
    insuredName: 'Name of the insured, as the transaction has it; null if it has none.',
    policyTransactionType: saleTypeDocs,
    soldOn:
      'The day on which it is judged: the earlier of the written `policyTransactionDate` and `effectiveDate` of the transaction.',
    effectiveDate: 'When its coverage begins, as the transaction has it; null if that is not known.',
    stateCode: 'State of the risk, as the transaction has it.',
    productId: 'Id of the product that was sold; null where it is not clear.',
    productName: ['Name of that product; null where it is not clear.', exampleOfPolicy.productName],
    carrierNaicCode: 'NAIC code of the company that writes it, if the sale names it; else null.',
    premiumAmountInUSD: 'Premium of the transaction in US dollars, rounded to cents; null if none is known.',
    upstreamDownstreamAssociationId:
      'Id of the association with the agency that made the sale; null if the agency is not known.',
    downstreamEntityId: 'Id of that agency or branch; null if the agency is not known.',
    agents: as(namedAgentDocs, 'The agents who made the sale, each with the own status on that day.'),
    complianceStatus: as(
      policyVerdictDocs,
      'Overall result for the agency and the agents on the day of sale; null if nothing is against it and something is not known.',
    ),
    licenseStatus: {
      ...licenseStatus,
      description:
        'Whether the licenses that the product requires of them are in force; null if nobody is known.',
    },
    appointmentStatus: {
      ...appointmentStatus,
      description:
        'Whether the appointments that the product requires are in force; null if nobody is known.',
    },
    reasons: as(reasonDocs, {
      description: 'Why it is not `COMPLIANT`: what is against it, and what is not known. Empty if it is.',
    }),
    warnings: as(warningDocs, {
      description: 'What is worth knowing about it, and never changes it; often empty.',
    }),
    appointmentDueOn:
      'Where the carrier appoints on binding and an appointment was missing on that day: the last day on which it is on time; else null, also without a limit.',
    appointedOn:
      'Where an appointment was missing on that day: the first later day on which it is in force, of several the last; null until it is made.',
    basis: as(basis, 'What the result is based on.'),
    configBasis,
  },
});

const salesGroupDocs = documented(salesGroup, {
  fields: {
    complianceStatus: as(policyVerdictDocs, 'Their compliance status; null where it is not known.'),
    stateCode: 'State of their risk.',
    productId: 'Id of their product, as the list shows it; null where it is not clear.',
    year: ['Year of their days of sale.', 2026],
    ...ofSales,
  },
});

documented(salesSummary, {
  id: 'PolicySalesSummary',
  description: 'How many sales there are for each outcome, state, product, and year, and their premium.',
  examples: [
    {
      sales: 412,
      premiumAmountInUSD: 1_250_500.75,
      groups: [
        {
          complianceStatus: 'COMPLIANT',
          stateCode: 'TX',
          productId: '65f0c1d2e3a4b5c6d7e8f905',
          year: 2026,
          sales: 412,
          premiumAmountInUSD: 1_250_500.75,
        },
      ],
    },
  ],
  fields: {
    ...ofSales,
    groups: as(salesGroupDocs, 'The same by outcome, state, product, and year: every sale is in one group.'),
  },
});
