import * as z from 'zod/mini';
import {
  askedAgency,
  askedCheck,
  askedProduct,
  askedSeller,
  jws,
  saleCheck,
} from '#domain/sale-checks/resource.ts';
import { asOfQuery } from '#platform/contract/list-queries.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { getOne, routeGroup } from '#platform/contract/route.ts';

const access = { kind: 'upstream', feature: 'compliance' } as const;

/** Checks that a request may ask. */
export const mostChecks = 100;

export const saleCheckRequest = z.strictObject({
  checks: z.array(askedCheck).check(z.minLength(1), z.maxLength(mostChecks)),
  ...asOfQuery.shape,
  receipt: z.optional(z.boolean()),
});

/** Query of one check: one of the names of the seller and of the product, and at most one of the agency. */
const saleCheckQuery = z.object({
  ...askedSeller.shape,
  ...askedProduct.shape,
  downstreamEntityAssociationId: askedAgency.shape.downstreamEntityAssociationId,
  producerCode: askedAgency.shape.producerCode,
  carrierNaicCode: askedCheck.shape.carrierNaicCode,
  stateCode: askedCheck.shape.stateCode,
  date: askedCheck.shape.date,
});

export const saleCheckAnswers = z.object({
  checks: z.array(saleCheck),
  receiptId: z.optional(objectId),
  jws: z.optional(jws),
});

/** A public key of receipts (RFC 7517). */
export const jsonWebKey = z.object({
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.string(),
  use: z.string(),
});

export const jsonWebKeys = z.object({ keys: z.array(jsonWebKey) });

export const saleCheckRoutes = routeGroup('sale-checks', {
  checkSales: {
    method: 'POST',
    path: '/v2/upstream/sale-checks',
    access,
    body: saleCheckRequest,
    answer: { status: 200, one: saleCheckAnswers },
  },
  getSaleCheck: { ...getOne('/v2/upstream/sale-checks', access, saleCheck), query: saleCheckQuery },
  getReceiptKeys: {
    method: 'GET',
    path: '/v2/jwks.json',
    access: 'public',
    answer: { status: 200, bare: jsonWebKeys, cacheSeconds: 3_600 },
  },
});
