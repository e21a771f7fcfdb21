import {
  carrierActionsQueryDocs,
  carrierAppointmentsQueryDocs,
  carrierLicensesQueryDocs,
} from '../../shared/domain/carrier-lists/docs.ts';
import {
  authorityDocs,
  carrierNaicCodesDocs,
  productCodeDocs,
  requiredElsewhereDocs,
  requiredStateDocs,
  statusDocs,
} from '../../shared/domain/compliance/docs.ts';
import { mostVersionsADay } from '../../shared/domain/compliance/record-config.ts';
import { largestConfig } from '../../shared/domain/decision/compliance-config.ts';
import { marketIdsDocs } from '../../shared/domain/identifiers/docs.ts';
import { bookQueryDocs, dueStatusDocs, salesQueryDocs } from '../../shared/domain/policy-compliance/docs.ts';
import { daysOfLate } from '../../shared/domain/policy-compliance/sales.ts';
import {
  answeredCheckDocs,
  answerMeanings,
  askedCheckDocs,
  askedProductDocs,
  dayOfSaleDocs,
  exampleOfAnswer,
  exampleOfCheck,
  exampleOfJws,
  jwsDocs,
  receiptIdDocs,
} from '../../shared/domain/sale-checks/docs.ts';
import { exampleOfSources, receiptSourcesDocs } from '../../shared/domain/sale-checks/receipt-docs.ts';
import { KB } from '../../shared/platform/aws/limits.ts';
import { asOfDescription, pageQueryDocs } from '../../shared/platform/contract/docs.ts';
import { as, documented, type GroupDocs } from '../../shared/platform/contract/documented.ts';
import { decidedByOthers } from './get-receipt.ts';
import {
  type complianceRoutes,
  mostNpns,
  newComplianceConfig,
  npnList,
  npnLookups,
  previewedChange,
  proposedStates,
  saleReceipt,
} from './routes.ts';

documented(npnList, {
  examples: [{ npns: ['17654321', '8123456'] }],
  fields: { npns: [`Up to ${mostNpns} NPNs to look up, duplicates included.`, ['17654321', '8123456']] },
});

documented(npnLookups, {
  examples: [
    [
      { npn: '17654321', result: 'firm', name: 'Lone Star Brokerage' },
      { npn: '8123456', result: 'not found', name: null },
    ],
  ],
});

documented(newComplianceConfig, {
  examples: [
    {
      productName: 'Contractors General Liability',
      productCode: 'CGL',
      states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }],
    },
  ],
  fields: {
    productName: 'Name of the product, which policies refer to; it replaces the previous one.',
    productCode: productCodeDocs,
    carrierNaicCodes: carrierNaicCodesDocs,
    states: as(requiredStateDocs, 'Requirements by state, each state once; they replace all previous ones.'),
    otherStates: requiredElsewhereDocs,
    authority: authorityDocs,
    validFrom: [
      'Day, in America/New_York, from which they are in force: past, or up to a year ahead. Today by default.',
      '2026-04-15',
    ],
  },
});

documented(proposedStates, {
  id: 'ProposedComplianceStates',
  description: 'What a product might require.',
  examples: [{ states: [{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'required' }] }],
  fields: {
    states: as(
      requiredStateDocs,
      'Requirements by state, each state once, as they would replace the present ones.',
    ),
    otherStates: requiredElsewhereDocs,
    carrierNaicCodes: carrierNaicCodesDocs,
    authority: authorityDocs,
  },
});

const exampleStatus = {
  complianceStatus: 'COMPLIANT',
  licenseStatus: { statusName: 'Licensed' },
  appointmentStatus: { statusName: 'Not Required' },
  basis: 'current',
  configBasis: 'version',
} as const;

documented(previewedChange, {
  id: 'PreviewedComplianceChange',
  description: 'A party whose status in a state would change.',
  examples: [
    {
      party: 'agent',
      agentId: '65f0c1d2e3a4b5c6d7e8f906',
      downstreamEntityAssociationId: null,
      stateCode: 'TX',
      before: exampleStatus,
      after: {
        ...exampleStatus,
        complianceStatus: 'NOT_COMPLIANT',
        appointmentStatus: { statusName: 'Not Appointed', statusMessages: ['No active appointment in TX.'] },
      },
      policies: 14,
    },
  ],
  fields: {
    party: {
      description: 'Who would change.',
      values: { agent: 'A producer of the organization.', agency: 'An agency, by its association.' },
    },
    agentId: 'Id of the agent; null for an agency.',
    downstreamEntityAssociationId: 'Id of the association with the agency; null for an agent.',
    stateCode: 'State in which the status would change.',
    before: { description: 'Today’s status, as its list returns it.', fields: statusDocs },
    after: {
      description: 'The status that the proposed requirements would lead to today.',
      fields: statusDocs,
    },
    policies: [
      'Number of policies of the product in the state: for an agency, those in its list; for an agent, those that the agent sold for agencies that the agent still works for.',
      14,
    ],
  },
});

documented(saleReceipt, {
  id: 'SaleReceipt',
  description: 'The receipt of a request with sale checks.',
  examples: [
    {
      receiptId: '65f0c1d2e3a4b5c6d7e8f909',
      checks: [{ ...exampleOfAnswer, asked: exampleOfCheck }],
      jws: exampleOfJws,
      rules: 4,
      sources: exampleOfSources,
      reproduced: true,
    },
  ],
  fields: {
    receiptId: receiptIdDocs,
    checks: as(answeredCheckDocs, { description: 'The answers, as they were given, and what was asked.' }),
    jws: jwsDocs,
    rules: ['Number of the rules that decided.', 4],
    sources: as(
      receiptSourcesDocs,
      'Everything that was decided from, as it was then; `sourcesHash` in the payload is its hash.',
    ),
    reproduced:
      'Whether the same decision, made again now from `sources` alone, has the same answers, and `sources` are those that were signed; the words of `message` and `remedy` may differ. Null if other rules decided: then the decision is not made again.',
    reproducedMessage: [
      'Why `reproduced` is null; absent if it is not.',
      decidedByOthers(3).reproducedMessage,
    ],
  },
});

const ofCarrier =
  'Filters can be combined. “A carrier’s own lists” says what they answer, and how to follow them.';

export const docs = {
  description: 'Registry subscriptions, NPN lookup, and what products require of producers.',
  routes: {
    getComplianceDataSubscription: {
      summary: 'Get a compliance data subscription',
      description:
        'Returns one subscription. A requested synchronization is complete when `entityInfo.status` is `success`; the status of a subscription that was never synchronized is `not started`. `entityModel` is null until an agent or an association of the organization refers to the NPN.',
      success: 'The subscription with the state of its last synchronization.',
    },
    listComplianceDataSubscriptions: {
      summary: 'List compliance data subscriptions',
      description:
        'Returns all matching subscriptions, ordered by id, without paging. An NPN has at most one.',
      success: 'All matching subscriptions of the organization.',
      query: { npn: 'NPN whose subscription to return; all are returned without it.' },
    },
    lookUpNpns: {
      summary: 'Look up NPNs in the registry',
      description: `Looks up to ${mostNpns} NPNs in the registry. Duplicates are returned once, in the position of the first, and count toward the ${mostNpns}.\n\nWhat a visit of the last 24 hours found is returned; each other NPN counts toward the organization’s questions to the registry in a day (“Rate limits”). While the registry is unavailable, the response is 503, which is not stored for the idempotency key.`,
      success: 'What the registry has under each NPN, in the order of the request.',
    },
    listComplianceConfigs: {
      summary: 'List compliance configs',
      description: 'Returns what each product requires of its producers today, ordered by product id.',
      success: 'All compliance configs of the organization.',
    },
    replaceComplianceConfig: {
      summary: 'Replace the compliance config of a product',
      description: `Replaces the name, the code, the insurers, and the states of a product that has a config, from \`validFrom\` on; an unknown product returns 404. Earlier versions are kept: a day is judged by the one in force on it, and a request that equals the version in force adds none. With a future \`validFrom\`, \`listComplianceConfigs\` shows the present version until then.

Of two concurrent writes with the same \`validFrom\`, the last one wins. In a state that is omitted, \`otherStates\` applies, and without it, nobody may sell the product there. Without \`carrierNaicCodes\`, the organization’s own appointments count for the product. A state that is given more than once returns 400, and a body of more than ${largestConfig / KB} KB 413. A product can have at most ${mostVersionsADay} new versions a day, in America/New_York; one more returns 409, with \`details.limit\`.`,
      success: 'The compliance config as it is from now on.',
    },
    previewComplianceConfig: {
      summary: 'Preview a compliance config',
      description: `Returns who would have a different status if a product required this from now on instead of what it requires today, streamed, without paging, in no particular order: a row for each agent, or association, and state whose compliance status, license status, or appointment status would change. \`states\` is what \`replaceComplianceConfig\` accepts; without \`carrierNaicCodes\` or \`authority\`, those of today stay; \`authority\` is the carrier’s own word, which these statuses leave out. For a product without a config, \`before\` is the status in a state that is not configured.

Nothing is written, so an idempotency key is not needed, and is ignored. The first rows arrive once the organization’s policies in the states that differ have been counted.`,
      success: 'Everybody whose status would change.',
    },
    getSaleReceipt: {
      summary: 'Get the receipt of sale checks',
      description:
        'Returns what was asked and answered, everything that it was decided from, and whether the same decision, made again from that, has the same result. It depends on nothing else that is stored: nothing that is recorded, corrected, or deleted later changes it.',
      success: 'The receipt, and whether it is reproduced now.',
    },
    listSellers: {
      summary: 'List who may sell for an agency',
      description:
        'Returns, for each agent of an association, the answer that a sale check gives of the agent, the association, and the product, streamed, without paging, ordered by `agentId`. Send exactly one of `productId` and `productCode`. If the association is unknown or belongs to another organization, the array is empty; if the product is, the answers are `unknown`.',
      success: 'An answer for each agent of the association.',
      query: {
        downstreamEntityAssociationId: 'The association whose agents are asked about.',
        productId: askedProductDocs.fields.productId,
        productCode: askedProductDocs.fields.productCode,
        stateCode: askedCheckDocs.fields.stateCode,
        date: dayOfSaleDocs,
        answer: { description: 'Only agents of whom this is the answer.', values: answerMeanings },
      },
      sampleQuery: { productCode: 'CGL' },
    },
    listAgencySellers: {
      summary: 'List which of the agency’s producers may sell for a market',
      description:
        'Returns whether the organization’s producers may sell a carrier’s product today, as a sale check of the carrier answers it: by what the carrier requires, what it knows of licenses and appointments, and its own word (“May she sell?”). Producers whom the carrier does not know at this market are not listed. Ordered by NPN.\n\nA market that is not `active`, that belongs to another organization, or whose carrier is not on the platform gets 404. If the carrier has no such product, the answers are `unknown`.',
      success:
        'The answers on this page, one for each producer whom both the organization and the carrier have.',
      query: {
        ...pageQueryDocs,
        ...marketIdsDocs('The market, `upstreamDownstreamAssociationId` in the list of markets; required.'),
        productId: 'The product, `productId` in the compliance configs of the market.',
        stateCode: askedCheckDocs.fields.stateCode,
      },
      sampleQuery: { upstreamDownstreamAssociationId: '65f0c1d2e3a4b5c6d7e8f904' },
    },
    listPolicyComplianceStatuses: {
      summary: 'List the compliance of all policies',
      description: `Returns every policy of the organization once, streamed, without paging, agency by agency: whether its agency, and the agents who sold it, may service it, and whether those who sold it last could on its effective date and on the day of that sale. Filters can be combined; with \`atSale=NOT_COMPLIANT\` and dates, the list is what was last sold without a license or an appointment; \`listPolicySales\` also has earlier sales.

Where nothing is against a policy and something is not known, such as who sold it, \`complianceStatus\` is null, the messages say what to do, and \`NOT_KNOWN\` lists it.

For a policy whose agency was not identified, is in manual review, or has no association, the present statuses are null, and \`statusMessages\` says why; the same goes for an agency that is named only by its NPN when several associations have the NPN. A policy that moves to another agency while the list is read may be missing or returned twice.

${asOfDescription.policies} The policies, their agencies, and their agents are the current ones.`,
      success: 'The compliance of all matching policies of the organization.',
      query: bookQueryDocs,
    },
    getPolicyComplianceSummary: {
      summary: 'Add up the compliance of all policies',
      description:
        'Returns the number of the organization’s policies and their premium by compliance status, compliance status on the effective date and on the day of the latest sale, state, and product: the rows of `listPolicyComplianceStatuses` with the same filters, added up. It takes as long as that list, up to five minutes.',
      success: 'The number of matching policies and their premium, as a whole and by group.',
      query: bookQueryDocs,
    },
    listPolicySales: {
      summary: 'List sales',
      description: `Returns every \`New\` and \`Renewal\` of the organization’s policies that is not deleted, once, streamed, without paging, agency by agency: who sold what, on which day, and whether they could on that day. “Sales” says how that is decided. Filters can be combined; with \`complianceStatus=NOT_COMPLIANT\` and days, the list is what was sold without a license or an appointment, whoever services the policies now.

With \`knownAt\`, sales are judged by what was known then of licenses, appointments, and regulatory actions; the sales, their agencies, and their agents are the current ones. A sale that moves to another agency while the list is read may be missing or returned twice.`,
      success: 'All matching sales of the organization.',
      query: salesQueryDocs,
    },
    getPolicySalesSummary: {
      summary: 'Add up sales',
      description:
        'Returns the number of the organization’s sales and their premium by compliance status, state, product, and year of sale: the rows of `listPolicySales` with the same filters, added up. It takes as long as that list, up to five minutes.',
      success: 'The number of matching sales and their premium, as a whole and by group.',
      query: salesQueryDocs,
    },
    listLicenses: {
      summary: 'List the licenses of all producers and agencies',
      description: `Returns each license that is held of the organization’s producers and agencies once, also what has ended or was left out by a later report, streamed, without paging, holder by holder. ${ofCarrier}`,
      success: 'All matching licenses.',
      query: carrierLicensesQueryDocs,
    },
    listAppointments: {
      summary: 'List the appointments of all producers and agencies',
      description: `Returns each appointment, of any insurer, that is held of the organization’s producers and agencies once, also what has ended or was left out by a later report, streamed, without paging, holder by holder. ${ofCarrier}`,
      success: 'All matching appointments.',
      query: carrierAppointmentsQueryDocs,
    },
    listRegulatoryActions: {
      summary: 'List the regulatory actions against all producers and agencies',
      description: `Returns each regulatory action that is held against the organization’s producers and agencies once, streamed, without paging, holder by holder. ${ofCarrier}`,
      success: 'All matching regulatory actions.',
      query: carrierActionsQueryDocs,
    },
    listAppointmentsDue: {
      summary: 'List the appointments that are due',
      description: `Returns a row for each sale and each of its parties, its agency and its agents, who had no appointment on the day of sale, where the carrier appoints on binding: streamed, without paging, agency by agency. “Sales” says by when the appointment is due. A row is \`due\` or \`overdue\` until the appointment is in force; one that was made late is listed for ${daysOfLate} days, and one that was made in time is gone.

A sale on a later day, and one whose agency is not known, have no row. From the day after \`dueOn\`, the party is \`Not Appointed\` everywhere, which is an event like any other change of its status.`,
      success: 'All matching appointments that are due or were made late, each for a sale and a party.',
      query: {
        dueStatus: as(dueStatusDocs, 'Status of the appointments to return; all are returned without it.'),
      },
    },
  },
} satisfies GroupDocs<typeof complianceRoutes.routes>;
