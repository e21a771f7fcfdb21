import { asOfQueryDocs } from '../../platform/contract/docs.ts';
import { as, documented, type FieldDocs } from '../../platform/contract/documented.ts';
import {
  agentsDocs,
  atEffectiveDateDocs,
  exampleOfCompliance,
  exampleOfPolicy,
  exampleOfSeller,
  ofPolicyDocs,
  policyVerdictDocs,
  statusDocs,
} from '../compliance/docs.ts';
import { warningDocs } from '../sale-checks/docs.ts';
import {
  appointmentDue,
  bookGroup,
  type bookQuery,
  bookRow,
  bookSummary,
  policyParty,
  policyVerdictFilter,
} from './resource.ts';

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
    'Compliance status of the policies to return, on their effective date: with `NOT_COMPLIANT`, those that were sold without a license or an appointment.',
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
  ...asOfQueryDocs,
} satisfies FieldDocs<typeof bookQuery>;

const { licenseStatus, appointmentStatus, basis, configBasis } = statusDocs;

documented(bookRow, {
  id: 'PolicyCompliance',
  description: 'A policy of any agency, and whether that agency, and the agents who sold it, may service it.',
  examples: [
    {
      ...exampleOfPolicy,
      premiumAmountInUSD: 12500.5,
      effectiveDate: '2026-04-15',
      upstreamDownstreamAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
      downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
      basis: 'current',
      configBasis: 'version',
      warnings: [],
      agents: [exampleOfSeller],
      atEffectiveDate: {
        effectiveDate: '2026-04-15',
        ...exampleOfCompliance,
        basis: 'history',
        configBasis: 'version',
        agents: [{ ...exampleOfSeller, basis: 'history' }],
      },
    },
  ],
  fields: {
    ...ofPolicyDocs,
    premiumAmountInUSD: 'Premium of the policy in US dollars, rounded to cents; null if none is known.',
    effectiveDate: 'When coverage begins, as the policy has it; null if that is not known.',
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
      'Why nobody is judged, in sentences for people: the agency was not identified, is in manual review, or has no association; absent otherwise. The statuses are null then.',
      ['The agency is in manual review.'],
    ],
    warnings: as(warningDocs, {
      description: 'What is worth knowing about the present status, and never changes it; often empty.',
    }),
    agents: agentsDocs,
    atEffectiveDate: atEffectiveDateDocs,
  },
});

const totals = {
  policies: ['How many policies there are.', 412],
  premiumAmountInUSD: [
    'Premium of those policies in US dollars: each is rounded to cents, and their sum is exact up to 70 trillion dollars; a policy without a premium counts as 0.',
    1_250_500.75,
  ],
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
      policies: 430,
      premiumAmountInUSD: 1_262_900.25,
      groups: [
        {
          complianceStatus: 'COMPLIANT',
          atEffectiveDate: 'COMPLIANT',
          stateCode: 'TX',
          productId: '65f0c1d2e3a4b5c6d7e8f905',
          policies: 412,
          premiumAmountInUSD: 1_250_500.75,
        },
        {
          complianceStatus: 'COMPLIANT',
          atEffectiveDate: 'NOT_COMPLIANT',
          stateCode: 'TX',
          productId: '65f0c1d2e3a4b5c6d7e8f905',
          policies: 18,
          premiumAmountInUSD: 12_399.5,
        },
      ],
    },
  ],
  fields: {
    ...totals,
    groups: as(groupDocs, 'The same by outcome, state, and product: every policy is in one group.'),
  },
});

const policyPartyDocs = documented(policyParty, {
  description: 'Who is to be appointed.',
  values: { agent: 'An agent who sold the policy.', agency: 'The agency.' },
});

documented(appointmentDue, {
  id: 'AppointmentDue',
  description: 'An agency or an agent whom the carrier is to appoint, since it appoints when it binds.',
  examples: [
    {
      policyId: '65f0c1d2e3a4b5c6d7e8f901',
      policyNumber: 'GL-2026-000123',
      party: 'agent',
      agentId: '65f0c1d2e3a4b5c6d7e8f903',
      downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
      stateCode: 'TX',
      productId: '65f0c1d2e3a4b5c6d7e8f905',
      linesOfAuthority: ['16'],
      boundOn: '2026-04-10',
      dueOn: '2026-04-25',
      daysLeft: 10,
    },
  ],
  fields: {
    policyId: 'Id of the policy that was bound, the `_id` of `getPolicy`.',
    policyNumber: ['Number that the carrier gave that policy.', 'GL-2026-000123'],
    party: policyPartyDocs,
    agentId: 'Id of the agent to appoint; null for an agency.',
    downstreamEntityAssociationId: 'Id of the association with the agency that sold the policy.',
    stateCode: 'State in which the appointment is to be made, that of the policy’s risk.',
    productId: 'Id of the policy’s product; null where several may be meant.',
    linesOfAuthority: [
      'The lines of authority for which an appointment is missing, as the compliance config has them; empty if any appointment will do.',
      ['16'],
    ],
    boundOn:
      'The `policyTransactionDate` of the policy’s latest `New` or `Renewal`, as a date; without one, its `effectiveDate`.',
    dueOn:
      'Last day on which the appointment is on time: `boundOn` and the config’s `appointWithinDays`; null without them.',
    daysLeft: 'Days from today, in America/New_York, until `dueOn`; negative when that has passed.',
  },
});
