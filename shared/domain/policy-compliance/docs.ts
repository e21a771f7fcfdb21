import { asOfQueryDocs } from '#platform/contract/docs.ts';
import { documented, type FieldDocs } from '#platform/contract/documented.ts';
import { agentsDescription, ofPolicyDocs } from '../compliance/docs.ts';
import { producerNamesDocs } from '../identifiers/docs.ts';
import { currentStatusDocs } from '../policies/docs.ts';
import * as resource from './resource.ts';
import { daysOfLate } from './sales.ts';

documented(resource.policyVerdictFilter, {
  id: 'ComplianceStatusFilter',
  description: 'Compliance status of what to return.',
  values: {
    COMPLIANT: 'Everything that the product requires was found in force.',
    NOT_COMPLIANT: 'Something that the product requires is not in force.',
    NOT_KNOWN: 'The `complianceStatus` is null: nothing is against it and something is not known.',
  },
});

export const bookQueryDocs = {
  productId: 'Id of the product, as the rows show it.',
  effectiveFrom: ['Included; a policy without an `effectiveDate` is left out.', '2026-01-01'],
  effectiveUntil: ['Included; a policy without an `effectiveDate` is left out.', '2026-12-31'],
  inForceOn: ['Day on which the policies to return are in force (“Compliance of policies”).', '2026-06-30'],
  complianceStatus: 'Only policies with this status today, or on `asOf`.',
  atEffectiveDate: 'Only policies with this status on their effective date.',
  atSale: 'Only policies with this status on the day of their latest sale.',
  ...asOfQueryDocs,
} satisfies FieldDocs<typeof resource.bookQuery>;

documented(resource.namedAgent, {
  id: 'NamedAgentStatus',
  description: 'Whether an agent who sold a policy may sell it. The names are those of today.',
  fields: {
    firstName: producerNamesDocs.firstName,
    lastName: producerNamesDocs.lastName,
    licenseNumber: [
      'Number of the license that counts in the state; where none does, of the only one there, else null.',
      '1234567',
    ],
  },
});

const unjudgedMeaning = 'Null if nobody is judged, or if nothing is against it and something is not known.';

documented(resource.bookRow, {
  id: 'PolicyCompliance',
  description: 'A policy of any agency, and whether that agency, and the agents who sold it, may service it.',
  fields: {
    ...ofPolicyDocs,
    currentStatus: currentStatusDocs,
    premiumAmountInUSD: [
      'Premium of the transactions since the latest `New` or `Renewal`, that one included.',
      12500.5,
    ],
    expiryDate: ['When coverage ends.', '2027-03-01'],
    soldOn: ['Day of the latest sale (“Sales”).', '2026-03-01'],
    upstreamDownstreamAssociationId: 'The association with the agency that is judged; null if nobody is.',
    downstreamEntityId: 'That agency or branch; null if nobody is judged.',
    complianceStatus: unjudgedMeaning,
    statusMessages: [
      'Why nobody is judged, in sentences for people; absent otherwise. The present statuses are null then.',
      ['The agency is in manual review.'],
    ],
    warnings: ['What there is to know about the present status, and never changes it.', []],
    agents: agentsDescription,
  },
});

const countDocs = ['How many there are.', 412] as const;

const premiumDocs = [
  'Sum of the premiums, each rounded to cents; exact up to 70 trillion dollars. One without a premium counts as 0.',
  1_250_500.75,
] as const;

const bookTotalsDocs = { policies: countDocs, premiumAmountInUSD: premiumDocs };
const salesTotalsDocs = { sales: countDocs, premiumAmountInUSD: premiumDocs };

documented(resource.bookGroup, {
  id: 'PolicyComplianceGroup',
  description: 'Policies with the same outcome, state, and product.',
  fields: { productId: 'Null where it is not clear.', ...bookTotalsDocs },
});

documented(resource.bookSummary, {
  id: 'PolicyComplianceSummary',
  description: 'How many policies there are for each outcome, state, and product, and their premium.',
  fields: { ...bookTotalsDocs, groups: 'Every policy is in one of them.' },
});

documented(resource.dueStatus, {
  id: 'DueStatus',
  description: 'What became of the appointment.',
  values: {
    due: 'It is to be made, and there is time left, or no limit.',
    overdue: 'It is to be made, and the time has passed.',
    late: `It was made after \`dueOn\`, within the last ${daysOfLate} days.`,
  },
});

documented(resource.dueParty, {
  description: 'Who is to be appointed.',
  values: { agent: 'An agent who made the sale.', agency: 'The agency.' },
});

documented(resource.dueCompany, {
  description: 'The insurer on whose paper it was sold; null if the sale names none.',
  examples: [{ carrierNaicCode: '19437', name: 'Beacon Specialty' }],
});

documented(resource.appointmentDue, {
  id: 'AppointmentDue',
  description: 'An agency or an agent whom the carrier is to appoint after a sale, or appointed late.',
  fields: {
    agentId: 'Null for an agency.',
    linesOfAuthority: [
      'Those for which an appointment was missing on the day of sale; empty if any appointment will do.',
      ['16'],
    ],
    productId: 'Null where several may be meant.',
    policyNumber: ofPolicyDocs.policyNumber,
    soldOn: ['Day of the sale (“Sales”).', '2026-03-01'],
    dueOn: [
      'Last day on which the appointment is on time: `appointWithinDays` after the first sale without one; null without a limit.',
      '2026-04-25',
    ],
    daysLeft: [
      'Days from today, in America/New_York, until `dueOn`; negative when that has passed. Null without it, and once the appointment is made.',
      10,
    ],
    appointedOn: ['First later day on which the appointment is in force; null until it is made.', null],
  },
});

documented(resource.saleType, {
  description: 'Which kind of sale it is.',
  values: { New: 'A policy was written.', Renewal: 'A policy was renewed for another term.' },
});

export const salesQueryDocs = {
  soldFrom: ['First day of sale to return.', '2026-01-01'],
  soldUntil: ['Last day of sale to return.', '2026-03-31'],
  productId: bookQueryDocs.productId,
  agentId: 'An agent who made the sales to return.',
  downstreamEntityAssociationId: 'The association with the agency that made the sales to return.',
  knownAt: asOfQueryDocs.knownAt,
} satisfies FieldDocs<typeof resource.salesQuery>;

documented(resource.saleRow, {
  id: 'PolicySale',
  description:
    'A New or a Renewal, as the transaction has it, and whether those who sold it could on that day.',
  fields: {
    policyNumber: ofPolicyDocs.policyNumber,
    insuredName: ['Name of the person or company that is insured.', 'Acme Roofing LLC'],
    soldOn:
      'The day on which it is judged: the earlier of the written `policyTransactionDate` and `effectiveDate` of the transaction.',
    productId: 'Null where it is not clear.',
    carrierNaicCode: 'NAIC code of the company that writes it, if the sale names it.',
    premiumAmountInUSD: 'Rounded to cents.',
    upstreamDownstreamAssociationId:
      'The association with the agency that made the sale; null if the agency is not known.',
    downstreamEntityId: 'That agency or branch; null if the agency is not known.',
    agents: 'The agents who made the sale, each with the own status on that day.',
    complianceStatus: 'Null if nothing is against it and something is not known.',
    licenseStatus: 'Null if nobody is known.',
    appointmentStatus: 'Null if nobody is known.',
    reasons: ['Why it is not `COMPLIANT`: what is against it, and what is not known.', []],
    warnings: ['What there is to know about it, and never changes it.', []],
    appointmentDueOn: [
      'Where the carrier appoints on binding and an appointment was missing on that day: the last day on which it is on time; null without a limit.',
      null,
    ],
    appointedOn: [
      'Where an appointment was missing on that day: the first later day on which it is in force, of several the last; null until it is made.',
      null,
    ],
  },
});

documented(resource.salesGroup, {
  id: 'PolicySalesGroup',
  description: 'Sales with the same outcome, state, product, and year.',
  fields: {
    productId: 'Null where it is not clear.',
    year: ['Year of their days of sale.', 2026],
    ...salesTotalsDocs,
  },
});

documented(resource.salesSummary, {
  id: 'PolicySalesSummary',
  description: 'How many sales there are for each outcome, state, product, and year, and their premium.',
  fields: { ...salesTotalsDocs, groups: 'Every sale is in one of them.' },
});
