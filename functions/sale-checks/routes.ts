import * as z from 'zod/mini';
import { externalId, producerCode } from '../../shared/domain/associations/resource.ts';
import {
  complianceBasis,
  complianceStatus,
  configBasis,
} from '../../shared/domain/compliance/compliance-statuses.ts';
import { productCode, productName } from '../../shared/domain/compliance/resource.ts';
import { npn } from '../../shared/domain/identifiers/npn.ts';
import { asOfQuery } from '../../shared/platform/contract/as-of.ts';
import { object, strictObject } from '../../shared/platform/contract/object.ts';
import { objectId, stateCode, textUpTo } from '../../shared/platform/contract/primitives.ts';
import { getOne } from '../../shared/platform/contract/read-rows.ts';
import { routeGroup } from '../../shared/platform/contract/route.ts';

const access = { kind: 'upstream', feature: 'compliance' } as const;

/** Words that name one thing in one of several ways. */
const oneOf = (...names: readonly string[]) =>
  z.refine<object>(
    (given) => Object.keys(given).length === 1,
    `must have exactly one of ${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
  );

export const askedSeller = strictObject(
  () => ({ agentId: z.optional(objectId), npn: z.optional(npn), externalId: z.optional(externalId) }),
  oneOf('agentId', 'npn', 'externalId'),
);

export const askedAgency = strictObject(
  () => ({
    downstreamEntityAssociationId: z.optional(objectId),
    producerCode: z.optional(producerCode),
    externalId: z.optional(externalId),
    npn: z.optional(npn),
  }),
  oneOf('downstreamEntityAssociationId', 'producerCode', 'externalId', 'npn'),
);

export const askedProduct = strictObject(
  () => ({ productId: z.optional(objectId), productCode, productName: z.optional(productName) }),
  oneOf('productId', 'productCode', 'productName'),
);

/** One question: may this producer, for this agency, sell this product in this state on this day? */
export const askedCheck = strictObject(() => ({
  reference: z.optional(textUpTo(200)),
  seller: askedSeller,
  agency: z.optional(askedAgency),
  product: askedProduct,
  stateCode,
  date: asOfQuery.shape.asOf,
}));

export type AskedCheck = z.output<typeof askedCheck>;

export const saleCheckRequest = strictObject(() => ({
  checks: z.array(askedCheck).check(z.minLength(1), z.maxLength(100)),
  ...asOfQuery.shape,
  receipt: z.optional(z.boolean()),
}));

export const answers = ['yes', 'no', 'unknown'] as const;

export const reasonParties = ['seller', 'agency', 'product'] as const;

export const reasonCodes = [
  'license_missing',
  'license_expired',
  'license_not_begun',
  'line_missing',
  'appointment_missing',
  'appointment_ended',
  'not_associated',
  'seller_unknown',
  'agency_unknown',
  'product_unknown',
  'ambiguous',
] as const;

export const reason = object(() => ({
  party: z.enum(reasonParties),
  code: z.enum(reasonCodes),
  message: z.string(),
  remedy: z.string(),
}));

export type Reason = z.output<typeof reason>;

const name = z.string();

export const checkedSeller = object(() => ({ agentId: objectId, npn, firstName: name, lastName: name }));

export const checkedAgency = object(() => ({
  downstreamEntityAssociationId: objectId,
  downstreamEntityId: objectId,
  legalName: name,
  producerCode: z.nullable(producerCode),
  npn: z.nullable(npn),
}));

export const checkedProduct = object(() => ({ productId: objectId, productName }));

/** What a check answers. */
export const saleCheck = object(() => ({
  reference: z.nullable(z.string()),
  answer: z.enum(answers),
  complianceStatus: z.nullable(complianceStatus),
  seller: z.nullable(checkedSeller),
  agency: z.nullable(checkedAgency),
  product: z.nullable(checkedProduct),
  reasons: z.array(reason),
  date: z.iso.date(),
  basis: z.nullable(complianceBasis),
  configBasis: z.nullable(configBasis),
}));

export type SaleCheck = z.output<typeof saleCheck>;

export const jws = z.string();

export const saleCheckAnswers = object(() => ({
  checks: z.array(saleCheck),
  receiptId: z.optional(objectId),
  jws: z.optional(jws),
}));

export const saleReceipt = object(() => ({
  receiptId: objectId,
  checks: z.array(saleCheck),
  jws,
  reproduced: z.nullable(z.boolean()),
  reproducedMessage: z.optional(z.string()),
}));

/** A public key of receipts (RFC 7517). */
export const jsonWebKey = object(() => ({
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
  alg: z.string(),
  use: z.string(),
}));

export const jsonWebKeys = object(() => ({ keys: z.array(jsonWebKey) }));

export const saleCheckRoutes = routeGroup('sale-checks', {
  checkSales: {
    method: 'POST',
    path: '/v2/upstream/sale-checks',
    access,
    body: saleCheckRequest,
    answer: { status: 200, one: saleCheckAnswers },
  },
  getSaleReceipt: getOne('/v2/upstream/sale-checks/{receiptId}', access, saleReceipt),
  getReceiptKeys: {
    method: 'GET',
    path: '/v2/jwks.json',
    access: 'public',
    answer: { status: 200, bare: jsonWebKeys, cacheSeconds: 3_600 },
  },
});
