import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { isoDate, objectId, stateCode, timestamp, usd } from '../contract/primitives.ts';

export const policyStatuses = ['bound', 'active', 'expired', 'cancelled', 'non renewed'] as const;
export const entityMatchStatuses = ['unmatched', 'auto matched', 'user confirmed', 'manual review'] as const;
export const productMatchStatuses = [
  'unmatched',
  'auto matched',
  'user confirmed',
  'needs clarification',
] as const;

const text = z.optional(z.string());
const npn = z.optional(
  described(z.string(), DOCUMENTED && { description: 'National Producer Number.', examples: ['17654321'] }),
);

/** Business fields that a policy and each of its transactions share. */
export const policyFields = {
  agencyName: text,
  agencyNpn: npn,
  agencyFein: text,
  agencyLicenseNumber: text,
  agencyLicensedStateCode: text,
  agentName: text,
  agentNpn: npn,
  agentLicenseNumber: text,
  agentLicensedState: text,
  insuredEntityName: text,
  carrierName: text,
  lineOfBusiness: text,
  producerName: text,
  producerCode: text,
  productName: text,
  productCode: text,
  filingNumber: text,
  slaNumber: text,
  externalBillingId: text,
  licenseNumber: text,
  npn,
  uploadSource: text,
  effectiveDate: z.optional(isoDate),
  expiryDate: z.optional(isoDate),
  premiumAmountInUSD: z.optional(usd),
  aggregateCoverageInUSD: z.optional(usd),
  coveragePerClaimInUSD: z.optional(usd),
};

export const policyNumber = described(
  z.string().check(z.minLength(1), z.maxLength(200)),
  DOCUMENTED && {
    description: 'Policy number; transactions with the same number belong to one policy.',
    examples: ['GL-2026-000123'],
  },
);

const entityMatchStatus = described(
  z.enum(entityMatchStatuses),
  DOCUMENTED && {
    description:
      'Whether the policy is matched to a downstream entity. `unmatched` and `manual review` need attention.',
    examples: ['auto matched'],
  },
);

/** A policy. Dates ISO 8601, amounts US dollars. */
export const policy = described(
  compiledObject({
    _id: objectId,
    policyNumber,
    currentStatus: z.enum(policyStatuses),
    riskStateCode: stateCode,
    entityMatchStatus,
    productMatchStatus: z.enum(productMatchStatuses),
    transactionCount: described(
      z.int().check(z.gte(0)),
      DOCUMENTED && { description: 'Number of transactions received for this policy.' },
    ),
    ...policyFields,
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
  DOCUMENTED && {
    id: 'Policy',
    description: 'A policy, with the business fields of its newest transaction.',
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
  },
);

export type Policy = z.output<typeof policy>;

export const policyTransactionTypes = ['New', 'Renewal', 'Endorsement', 'Cancellation', 'Audit'] as const;

const matchedAgent = compiledObject({
  agentId: objectId,
  matchSource: z.enum(['npn', 'license', 'name', 'user']),
  matchConfidence: z.number(),
  matchedAt: isoDate,
});

/** What a transaction carries beyond the fields it shares with its policy. */
export const policyTransactionFields = {
  upstreamEntityId: objectId,
  policyNumber,
  policyTransactionType: z.enum(policyTransactionTypes),
  policyTransactionDate: isoDate,
  riskStateCode: stateCode,
  entityMatchStatus,
  matchedAgents: z.array(matchedAgent),
  agentMatchStatus: described(
    z.enum(entityMatchStatuses),
    DOCUMENTED && { description: 'Whether the transaction is matched to agents.' },
  ),
  transactionFingerprint: described(
    z.string(),
    DOCUMENTED && { description: 'Hash of the transaction as received.' },
  ),
  columnMappingId: z.optional(objectId),
  entityId: z.optional(objectId),
  entityModel: text,
  isDeleted: z.boolean(),
  uniqueTransactionId: text,
  downstreamEntityId: z.optional(objectId),
  upstreamDownstreamAssociationId: z.optional(objectId),
  entityMatchConfidence: z.optional(z.number()),
  dedupResult: described(
    z.enum(['new', 'duplicate', 'amended']),
    DOCUMENTED && { description: 'How the transaction compares to those received before it.' },
  ),
};

/** A policy transaction. */
export const policyTransaction = described(
  compiledObject({
    _id: objectId,
    policyId: objectId,
    ...policyTransactionFields,
    ...policyFields,
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
  DOCUMENTED && {
    id: 'PolicyTransaction',
    description: 'A change to a policy, as received.',
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
  },
);

export type PolicyTransaction = z.output<typeof policyTransaction>;
