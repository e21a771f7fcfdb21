import { recordTimesDocs } from '#platform/contract/docs.ts';
import { documented, type FieldDocs } from '#platform/contract/documented.ts';
import {
  entityMatchStatus,
  type matchedAgent,
  policy,
  type policyFields,
  policyNumber,
  policyTransaction,
  type policyTransactionFields,
} from './resource.ts';

const policyFieldsDocs = {
  agencyName: ['The agency that sold the policy.', 'Lone Star Brokerage'],
  agencyNpn: ['National Producer Number of that agency.', '17654321'],
  agencyFein: ['Federal Employer Identification Number of that agency.', '75-7654321'],
  agencyLicenseNumber: ['That of any license that the agency holds.', '1456789'],
  agencyLicensedStateCode: ['State that issued that license of the agency.', 'TX'],
  agentName: ['The agent who sold the policy.', 'Maria Delgado'],
  agentNpn: ['National Producer Number of that agent.', '8123456'],
  agentLicenseNumber: ['That of any license that the agent holds.', '2210457'],
  agentLicensedState: ['State that issued that license of the agent.', 'TX'],
  insuredEntityName: ['Whom the policy insures.', 'Acme Roofing LLC'],
  carrierName: ['The insurer that writes the policy.', 'Beacon Specialty Insurance Company'],
  carrierNaicCode: [
    'NAIC company code of the insurer that writes the policy; it counts before `carrierName`.',
    '19437',
  ],
  lineOfBusiness: ['Kind of insurance, as the source names it.', 'General Liability'],
  producerName: [
    'The producer of record, if the source does not say whether it is an agency or an agent.',
    'Lone Star Brokerage',
  ],
  producerCode: ['Code of the producer at the carrier, as the `producerCode` of an association.', 'P-7731'],
  productName: [
    'The product, as received; a compliance config with this name applies to the policy.',
    'Contractors General Liability',
  ],
  productCode: [
    'The carrier’s own code for the product, as the `productCode` of a compliance config.',
    'CGL',
  ],
  filingNumber: ['Number of the surplus lines filing.', 'F-2026-00417'],
  slaNumber: ['Number that a surplus lines association assigned to the policy.', 'SLA-884120'],
  externalBillingId: ['Id of the policy in the source’s billing system.', 'B-55120'],
  licenseNumber: ['Number of a license of the producer of record.', '1456789'],
  npn: ['National Producer Number of the producer of record.', '17654321'],
  uploadSource: ['Where the record came from, as the source names it.', 'nightly export'],
  effectiveDate: 'When coverage begins; for a policy, that of its newest `New` or `Renewal`.',
  expiryDate: 'When coverage ends unless the policy is renewed.',
  premiumAmountInUSD: 'Premium in US dollars.',
  aggregateCoverageInUSD: ['Maximum that is paid in a term, in US dollars.', 2_000_000],
  coveragePerClaimInUSD: ['Maximum that is paid for one claim, in US dollars.', 1_000_000],
} satisfies FieldDocs<typeof policyFields>;

const policyNumberDocs = documented(policyNumber, {
  description: 'Number of the policy; transactions with the same number belong to one policy.',
  examples: ['GL-2026-000123'],
});

export const entityMatchStatusDocs = documented(entityMatchStatus, {
  id: 'EntityMatchStatus',
  description: 'Whether it is known which downstream entity the policy belongs to.',
  values: {
    unmatched: 'No agency fits. Needs attention.',
    'auto matched': 'The service found the agency.',
    'user confirmed': 'A person chose or confirmed the agency.',
    'manual review': 'An agency might fit, but a person must decide. Needs attention.',
  },
  examples: ['auto matched'],
});

export const currentStatusDocs = {
  description: 'State of the policy, as an import last set it; `bound` until one does.',
  values: {
    bound: 'Coverage is agreed; the policy is not yet in force.',
    active: 'The policy is in force.',
    expired: 'The term ended without a renewal.',
    cancelled: 'The policy was ended before its term.',
    'non renewed': 'The carrier or the insured declined to renew it.',
  },
} as const;

export const policyDocs = documented(policy, {
  id: 'Policy',
  description:
    'A policy, with the business fields of its newest transaction that is not deleted. A field that was not received is absent.',
  examples: [
    {
      _id: '65f0c1d2e3a4b5c6d7e8f901',
      policyNumber: 'GL-2026-000123',
      currentStatus: 'active',
      riskStateCode: 'TX',
      entityMatchStatus: 'auto matched',
      productMatchStatus: 'user confirmed',
      transactionCount: 2,
      agencyName: 'Lone Star Brokerage',
      agencyNpn: '17654321',
      insuredEntityName: 'Acme Roofing LLC',
      lineOfBusiness: 'General Liability',
      effectiveDate: '2026-03-01',
      expiryDate: '2027-03-01',
      premiumAmountInUSD: 12500.5,
      createdAt: '2026-03-01T14:05:09.123Z',
      updatedAt: '2026-06-01T09:00:00.000Z',
    },
  ],
  fields: {
    _id: 'Id of the policy, `policyId` elsewhere.',
    policyNumber: policyNumberDocs,
    currentStatus: currentStatusDocs,
    riskStateCode: 'State of the insured risk, whose licenses the agency needs.',
    entityMatchStatus: entityMatchStatusDocs,
    productMatchStatus: {
      description: 'Whether it is known which of the organization’s products the policy is for.',
      values: {
        unmatched: 'No product is known.',
        'auto matched': 'The product was found automatically.',
        'user confirmed': 'A person chose or confirmed the product.',
        'needs clarification': 'Several products fit.',
      },
    },
    transactionCount: 'Number of transactions received for this policy that are not deleted.',
    ...policyFieldsDocs,
    ...recordTimesDocs,
  },
});

const matchedAgentDocs = {
  agentId: 'Id of the organization’s agent who was found.',
  matchSource: {
    description: 'How the agent was found.',
    values: {
      npn: 'The agent’s NPN.',
      license: 'The number and state of a license.',
      name: 'The agent’s name.',
      user: 'A person chose the agent.',
    },
  },
  matchConfidence: ['How certain the match is, from 0 to 1.', 1],
  matchedAt: 'When the agent was found.',
} satisfies FieldDocs<typeof matchedAgent>;

const policyTransactionFieldsDocs = {
  upstreamEntityId: 'Id of the organization that the policy belongs to.',
  policyNumber: 'Number of the policy that the transaction changes.',
  policyTransactionType: {
    description: 'What happened to the policy.',
    values: {
      New: 'The policy was written.',
      Renewal: 'The policy was renewed for another term.',
      Endorsement: 'The policy was changed during its term.',
      Cancellation: 'The policy was canceled.',
      Reinstatement: 'A cancellation was reversed: the policy is in force again.',
      Audit: 'The premium was adjusted after an audit.',
    },
  },
  policyTransactionDate:
    'When it happened; the latest one that is not deleted determines the fields of the policy.',
  riskStateCode: 'State of the insured risk as of this transaction.',
  branchName: ['The branch of the agency that sold the policy.', 'Austin'],
  entityMatchStatus: entityMatchStatusDocs,
  matchedAgents: {
    description:
      'Agents of the organization who sold the policy, or with `manual review` those who may have; empty if none is known.',
    fields: matchedAgentDocs,
  },
  agentMatchStatus: {
    description: 'Whether it is known which agents sold the policy.',
    values: {
      unmatched: 'No agent fits.',
      'auto matched': 'The agents were found automatically.',
      'user confirmed': 'A person chose or confirmed the agents.',
      'manual review': 'An agent might fit, but a person must decide.',
    },
  },
  transactionFingerprint: [
    'SHA-256 of the business fields that the section “Matching” lists, in hexadecimal. One that was received with the transaction is kept.',
    'b5bb9d8014a0f9b1d61e21e796d78dccab5bb9d8014a0f9b1d61e21e796d78d',
  ],
  columnMappingId: 'Id of the column mapping with which the source was read; absent if there was none.',
  entityId: 'Id of the record in `entityModel` that the transaction concerns; absent if none was received.',
  entityModel: ['Kind of record that `entityId` refers to.', 'downstreamEntity'],
  isDeleted: 'Whether the transaction was deleted; it is still returned, but its policy has nothing from it.',
  uniqueTransactionId: ['The source’s own id for the transaction; absent if it has none.', 'TX-2026-000981'],
  downstreamEntityId: 'Id of the agency that sold the policy; absent if it is not known.',
  upstreamDownstreamAssociationId:
    'Id of the organization’s association with that agency; absent if it is not known.',
  entityMatchConfidence: [
    'How certain the match with the agency is, from 0 to 1; absent if nothing fits.',
    0.95,
  ],
  dedupResult: {
    description: 'How the transaction compares to those received before it.',
    values: {
      new: 'It was not received before.',
      duplicate: 'An equal one was received before.',
      amended: 'It replaces an earlier one with the same `uniqueTransactionId`.',
    },
  },
} satisfies FieldDocs<typeof policyTransactionFields>;

documented(policyTransaction, {
  id: 'PolicyTransaction',
  description: 'A change to a policy. A field that was not received is absent.',
  examples: [
    {
      _id: '65f0c1d2e3a4b5c6d7e8f902',
      policyId: '65f0c1d2e3a4b5c6d7e8f901',
      upstreamEntityId: '65f0c1d2e3a4b5c6d7e8f900',
      policyNumber: 'GL-2026-000123',
      policyTransactionType: 'Endorsement',
      policyTransactionDate: '2026-06-01',
      riskStateCode: 'TX',
      entityMatchStatus: 'auto matched',
      matchedAgents: [
        {
          agentId: '65f0c1d2e3a4b5c6d7e8f903',
          matchSource: 'npn',
          matchConfidence: 1,
          matchedAt: '2026-06-01T09:00:00.000Z',
        },
      ],
      agentMatchStatus: 'auto matched',
      transactionFingerprint: 'b5bb9d8014a0f9b1d61e21e796d78dcc',
      isDeleted: false,
      dedupResult: 'new',
      premiumAmountInUSD: 13100,
      createdAt: '2026-06-01T09:00:00.000Z',
      updatedAt: '2026-06-01T09:00:00.000Z',
    },
  ],
  fields: {
    _id: 'Id of the transaction, `transactionId` in paths.',
    policyId: 'Id of the policy that the transaction changes.',
    ...policyTransactionFieldsDocs,
    ...policyFieldsDocs,
    ...recordTimesDocs,
  },
});
