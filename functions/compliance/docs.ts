import {
  carrierActionsQueryDocs,
  carrierAppointmentsQueryDocs,
  carrierLicensesQueryDocs,
} from '#domain/carrier-lists/docs.ts';
import { mostBytesOfVersions, mostVersionsADay } from '#domain/compliance/record-config.ts';
import { largestConfig } from '#domain/decision/compliance-config.ts';
import { rulesNumber } from '#domain/decision/reasons.ts';
import { marketIdsDocs } from '#domain/identifiers/docs.ts';
import { bookQueryDocs, salesQueryDocs } from '#domain/policy-compliance/docs.ts';
import { daysOfLate } from '#domain/policy-compliance/sales.ts';
import { askedProductDocs, dayOfSaleDocs } from '#domain/sale-checks/docs.ts';
import { KB } from '#platform/aws/limits.ts';
import { asOfDescription, pageQueryDocs } from '#platform/contract/docs.ts';
import { documented, type GroupDocs } from '#platform/contract/documented.ts';
import { outcomeOfOtherRules } from './get-receipt.ts';
import * as routes from './routes.ts';
import '#domain/sale-checks/receipt-docs.ts';

documented(routes.npnList, {
  fields: { npns: ['At most 20, duplicates included.', ['17654321', '8123456']] },
});

documented(routes.newComplianceConfig, {
  fields: {
    productName: 'Policies refer to it; it replaces the previous one.',
    states: 'Each state once; they replace all previous ones.',
    validFrom: [
      'Day, in America/New_York, from which they are in force: past, or up to a year ahead. Today by default.',
      '2026-04-15',
    ],
  },
});

documented(routes.proposedStates, {
  id: 'ProposedComplianceStates',
  description: 'What a product might require.',
  fields: { states: 'Each state once, as they would replace the present ones.' },
});

documented(routes.previewedChange, {
  id: 'PreviewedComplianceChange',
  description: 'A party whose status in a state would change.',
  fields: {
    party: {
      description: 'Who would change.',
      values: { agent: 'A producer of the organization.', agency: 'An agency, by its association.' },
    },
    agentId: 'Null for an agency.',
    downstreamEntityAssociationId: 'Null for an agent.',
    policies: [
      'Number of policies of the product in the state: for an agency, those in its list; for an agent, those that the agent sold for agencies that the agent still works for.',
      14,
    ],
  },
});

documented(routes.saleReceipt, {
  id: 'SaleReceipt',
  description: 'The receipt of a request with sale checks.',
  fields: {
    rules: ['Number of the rules that decided.', rulesNumber],
    sources: 'Everything that was decided from; `sourcesHash` in the payload is its hash.',
    reproduced:
      'Whether the same decision, made again now from `sources` alone, has the same answers, and `sources` are those that were signed; the words of `message` and `remedy` may differ. Null if other rules decided.',
    reproducedMessage: ['Why `reproduced` is null.', outcomeOfOtherRules(rulesNumber - 1).reproducedMessage],
  },
});

const ofCarrier = 'Filters can be combined; see “A carrier’s own lists”.';

export const docs = {
  description: 'Registry subscriptions, NPN lookup, and what products require of producers.',
  routes: {
    getComplianceDataSubscription: {
      summary: 'Get a compliance data subscription',
      description:
        'Returns one subscription. A requested synchronization is over when `entityInfo.status` is `success` or `failed`. `entityModel` is null until an agent or an association of the organization refers to the NPN.',
    },
    listComplianceDataSubscriptions: {
      summary: 'List compliance data subscriptions',
      description: 'Returns the subscriptions of the organization, by id: at most one for an NPN.',
    },
    lookUpNpns: {
      summary: 'Look up NPNs in the registry',
      description: `Looks up to ${routes.mostNpns} NPNs: what a visit of the last day found is returned, and each other NPN counts toward the organization’s questions to the registry in a day (“Rate limits”). Duplicates are returned once, in the position of the first.`,
    },
    listComplianceConfigs: {
      summary: 'List compliance configs',
      description: 'Returns what each product requires of its producers today, ordered by product id.',
    },
    replaceComplianceConfig: {
      summary: 'Replace the compliance config of a product',
      description: `Replaces what a product that has a config requires from \`validFrom\` on. Earlier versions are kept: a day is judged by the one in force on it, and a request that equals the version in force adds none. With a future \`validFrom\`, \`listComplianceConfigs\` shows the present version until then.

Of two concurrent writes with the same \`validFrom\`, the last one wins. Without \`carrierNaicCodes\`, the organization’s own appointments count. A body of more than ${largestConfig / KB} KB returns 413. A product has at most ${mostVersionsADay} new versions a day, and room for some 1,000, ${mostBytesOfVersions / KB} KB; one more returns 409, with \`details.limit\`.`,
    },
    previewComplianceConfig: {
      summary: 'Preview a compliance config',
      description: `Returns who would have a different status if a product required this from now on, streamed in no particular order: a row for each agent, or association, and state. As where it is replaced, without \`carrierNaicCodes\` the organization’s own appointments count; \`authority\` changes none of these statuses. For a product without a config, \`before\` is the status in a state that is not configured.

Nothing is written, and an idempotency key is ignored.`,
    },
    getSaleReceipt: {
      summary: 'Get the receipt of sale checks',
      description:
        'Returns what was asked, answered, and decided from, and whether the same decision, made again from that, has the same result. Nothing that is recorded, corrected, or deleted later changes it.',
    },
    listSellers: {
      summary: 'List who may sell for an agency',
      description:
        'Returns, for each agent of an association, the answer of a sale check, streamed, ordered by `agentId`. Send exactly one of `productId` and `productCode`. If the association is unknown or belongs to another organization, the array is empty.',
      query: {
        downstreamEntityAssociationId: 'The association whose agents are asked about.',
        productCode: askedProductDocs.fields.productCode,
        date: dayOfSaleDocs,
        answer: 'Only agents of whom this is the answer.',
      },
    },
    listAgencySellers: {
      summary: 'List which of the agency’s producers may sell for a market',
      description:
        'Returns whether the organization’s producers may sell a carrier’s product today, as a sale check of the carrier answers it (“May she sell?”). Producers whom the carrier does not know at this market are not listed. Ordered by NPN.\n\nA market that is not `active`, or whose carrier is not on the platform, gets 404.',
      query: {
        ...pageQueryDocs,
        ...marketIdsDocs('The market, `upstreamDownstreamAssociationId` in the list of markets; required.'),
        productId: 'The product, `productId` in the compliance configs of the market.',
      },
    },
    listPolicyComplianceStatuses: {
      summary: 'List the compliance of all policies',
      description: `Returns every policy of the organization once, streamed, agency by agency: whether its agency, and the agents who sold it, may service it, and whether those who sold it last could (“Compliance of policies”). Filters can be combined.

For a policy whose agency was not identified, is in manual review, or has no association, the present statuses are null, and \`statusMessages\` says why; the same goes for an agency that is named only by its NPN when several associations have the NPN. A policy that moves to another agency while the list is read may be missing or returned twice.

${asOfDescription.policies} The policies, their agencies, and their agents are the current ones.`,
      query: bookQueryDocs,
    },
    getPolicyComplianceSummary: {
      summary: 'Add up the compliance of all policies',
      description:
        'Adds up the rows of `listPolicyComplianceStatuses` with the same filters. It takes as long as that list, up to five minutes.',
      query: bookQueryDocs,
    },
    listPolicySales: {
      summary: 'List sales',
      description: `Returns every \`New\` and \`Renewal\` of the organization’s policies that is not deleted, once, streamed, agency by agency: who sold what, on which day, and whether they could on that day (“Sales”). Filters can be combined.

With \`knownAt\`, sales are judged by what was known then; the sales, their agencies, and their agents are the current ones. A sale that moves to another agency while the list is read may be missing or returned twice.`,
      query: salesQueryDocs,
    },
    getPolicySalesSummary: {
      summary: 'Add up sales',
      description:
        'Adds up the rows of `listPolicySales` with the same filters. It takes as long as that list, up to five minutes.',
      query: salesQueryDocs,
    },
    listLicenses: {
      summary: 'List the licenses of all producers and agencies',
      description: `Returns each license of the organization’s producers and agencies once, also what has ended or was left out by a later report, streamed, holder by holder. ${ofCarrier}`,
      query: carrierLicensesQueryDocs,
    },
    listAppointments: {
      summary: 'List the appointments of all producers and agencies',
      description: `Returns each appointment, of any insurer, of the organization’s producers and agencies once, also what has ended or was left out by a later report, streamed, holder by holder. ${ofCarrier}`,
      query: carrierAppointmentsQueryDocs,
    },
    listRegulatoryActions: {
      summary: 'List the regulatory actions against all producers and agencies',
      description: `Returns each regulatory action against the organization’s producers and agencies once, streamed, holder by holder. ${ofCarrier}`,
      query: carrierActionsQueryDocs,
    },
    listAppointmentsDue: {
      summary: 'List the appointments that are due',
      description: `Returns a row for each sale and each of its parties who had no appointment on the day of sale, where the carrier appoints on binding (“Sales”): streamed, agency by agency. A row is \`due\` or \`overdue\` until the appointment is in force; one that was made late is listed for ${daysOfLate} days, and one that was made in time is gone. A sale on a later day, and one whose agency is not known, have no row.`,
    },
  },
} satisfies GroupDocs<typeof routes.complianceRoutes.routes>;
