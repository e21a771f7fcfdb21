// The schemas of the policies group once more, in the regular zod that the other routers' users write. They say the same
// as shared/domain/policies/resource.ts; that every contender gives the same answers is checked before anything is measured.
import { z } from 'zod';
import { entityMatchStatuses, policyTransactionTypes } from '../../../shared/domain/policies/resource.ts';
import { largestAmount, stateCodes } from '../../../shared/platform/contract/primitives.ts';
import { organizationCategories } from '../../../shared/platform/contract/route.ts';

const objectId = z
  .string()
  .regex(/^[0-9a-fA-F]{24}$/, 'must be 24 hexadecimal characters')
  .toLowerCase();
const stateCode = z.enum(stateCodes);
const timestamp = z.iso.datetime();
const isoDate = z.union([z.iso.date(), z.iso.datetime({ offset: true })]);
const text = z.string().optional();
const amount = z.number().min(-largestAmount).max(largestAmount).optional();
const policyNumber = z.string().min(1).max(200);

const policyFields = {
  agencyName: text,
  agencyNpn: text,
  agencyFein: text,
  agencyLicenseNumber: text,
  agencyLicensedStateCode: text,
  agentName: text,
  agentNpn: text,
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
  npn: text,
  uploadSource: text,
  effectiveDate: isoDate.optional(),
  expiryDate: isoDate.optional(),
  premiumAmountInUSD: amount,
  aggregateCoverageInUSD: amount,
  coveragePerClaimInUSD: amount,
};

const policyTransaction = z.object({
  _id: objectId,
  policyId: objectId,
  upstreamEntityId: objectId,
  policyNumber,
  policyTransactionType: z.enum(policyTransactionTypes),
  policyTransactionDate: isoDate,
  riskStateCode: stateCode,
  entityMatchStatus: z.enum(entityMatchStatuses),
  matchedAgents: z.array(
    z.object({
      agentId: objectId,
      matchSource: z.enum(['npn', 'license', 'name', 'user']),
      matchConfidence: z.number(),
      matchedAt: isoDate,
    }),
  ),
  agentMatchStatus: z.enum(entityMatchStatuses),
  transactionFingerprint: z.string(),
  columnMappingId: objectId.optional(),
  entityId: objectId.optional(),
  entityModel: text,
  isDeleted: z.boolean(),
  uniqueTransactionId: text,
  downstreamEntityId: objectId.optional(),
  upstreamDownstreamAssociationId: objectId.optional(),
  entityMatchConfidence: amount,
  dedupResult: z.enum(['new', 'duplicate', 'amended']),
  ...policyFields,
  createdAt: timestamp,
  updatedAt: timestamp,
});

const tally = z.int().min(0);

export const transactionsPage = z.object({
  transactions: z.array(policyTransaction),
  total: tally,
  page: tally,
  limit: tally,
  totalPages: tally,
});

export const envelope = <Data extends z.ZodType>(data: Data) =>
  z.object({ statusCode: z.literal(200), data, requestId: z.string(), timestamp });

export const identity = z.object({
  organizationId: z.string(),
  category: z.enum(organizationCategories),
  credentialId: z.string(),
});

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

export const pageQuery = z.strictObject({
  page: wholeNumber(1, 999_999_999).default(1),
  limit: wholeNumber(1, 100).default(50),
});
export const policyParams = z.strictObject({ policyId: objectId });
