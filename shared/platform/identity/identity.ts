// Apart from the authorizer, which writes these, and the request pipeline, which reads them.
import * as z from 'zod/mini';
import { organizationCategories } from '../contract/route.ts';

/** The caller: the authenticated context, the same for both credential methods (OpenAPI, "Credentials"). */
export const identity = z.object({
  organizationId: z.string(),
  category: z.enum(organizationCategories),
  /** `clientId` of an API client or `tokenId` of a restricted access token; what writes are counted against. */
  credentialId: z.string(),
});

export type Identity = z.output<typeof identity>;

/** Why a caller with a valid credential may not make a request: in place of the identity, and answered with 403. */
export const accessRefusal = z.object({
  errorType: z.enum(['forbidden', 'invalid_organization_category', 'product_feature_subscription_required']),
  /** Requirement of the route. */
  expected: z.string(),
  /** Value that the caller has instead. */
  actual: z.string(),
  /** Owner of the credential, for the gateway's access log. */
  organizationId: z.string(),
  credentialId: z.string(),
});

export type AccessRefusal = z.output<typeof accessRefusal>;
