import * as z from 'zod/mini';
import { asOfQuery } from '#platform/contract/list-queries.ts';
import { objectId, stateCode, textUpTo, timestamp } from '#platform/contract/primitives.ts';
import { producerCode } from '../associations/resource.ts';
import {
  complianceBasis,
  complianceStatus,
  configBasis,
  productCode,
  productName,
} from '../decision/compliance-config.ts';
import { reason, warning } from '../decision/reasons.ts';
import { codeFilter, companyCode, naicCode, npn } from '../identifiers/identifiers.ts';

/** Words that name one thing in one of several ways. */
const exactlyOneName = (...names: readonly string[]) =>
  z.refine<object>(
    (words) => Object.keys(words).length === 1,
    `must have exactly one of ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
  );

export const askedSeller = z
  .strictObject({ agentId: z.optional(objectId), npn: z.optional(npn), externalId: z.optional(codeFilter) })
  .check(exactlyOneName('agentId', 'npn', 'externalId'));

export const askedAgency = z
  .strictObject({
    downstreamEntityAssociationId: z.optional(objectId),
    producerCode: z.optional(codeFilter),
    externalId: z.optional(codeFilter),
    npn: z.optional(npn),
  })
  .check(exactlyOneName('downstreamEntityAssociationId', 'producerCode', 'externalId', 'npn'));

export const askedProduct = z
  .strictObject({ productId: z.optional(objectId), productCode, productName: z.optional(productName) })
  .check(exactlyOneName('productId', 'productCode', 'productName'));

/** A question: may this producer, for this agency, sell this product in this state on this day? */
export const askedCheck = z.strictObject({
  reference: z.optional(textUpTo(200)),
  seller: askedSeller,
  agency: z.optional(askedAgency),
  product: askedProduct,
  carrierNaicCode: z.optional(companyCode),
  stateCode,
  date: asOfQuery.shape.asOf,
});

export type AskedCheck = z.output<typeof askedCheck>;

export const answer = z.enum(['yes', 'no', 'unknown']);

const name = z.string();

export const checkedSeller = z.object({ agentId: objectId, npn, firstName: name, lastName: name });

export const checkedAgency = z.object({
  downstreamEntityAssociationId: objectId,
  downstreamEntityId: objectId,
  legalName: name,
  producerCode: z.nullable(producerCode),
  npn: z.nullable(npn),
});

export const checkedProduct = z.object({ productId: objectId, productName });

/** The insurer on whose paper the sale is written. */
export const checkedCompany = z.object({ carrierNaicCode: naicCode, name: z.nullable(name) });

/** The answer to a check. */
export const saleCheck = z.object({
  reference: z.nullable(z.string()),
  answer,
  complianceStatus: z.nullable(complianceStatus),
  seller: z.nullable(checkedSeller),
  agency: z.nullable(checkedAgency),
  product: z.nullable(checkedProduct),
  company: z.nullable(checkedCompany),
  reasons: z.array(reason),
  warnings: z.array(warning),
  date: z.iso.date(),
  goodUntil: z.nullable(z.iso.date()),
  verifiedAt: z.nullable(timestamp),
  basis: z.nullable(complianceBasis),
  configBasis: z.nullable(configBasis),
});

export type SaleCheck = z.output<typeof saleCheck>;

/** A check as it was answered, with what was asked. */
export const answeredCheck = z.object({ ...saleCheck.shape, asked: askedCheck });

/** The signed payload (RFC 7515, compact). */
export const jws = z.string();
