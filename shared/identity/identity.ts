import * as z from 'zod/mini';
import { organizationCategories } from '../contract/access.ts';

/**
 * The caller: the authenticated context, the same for both credential methods (OpenAPI, "Credentials"). The
 * authorizer writes it, the request pipeline reads it.
 */
export const identity = z.object({
  organizationId: z.string(),
  category: z.enum(organizationCategories),
  /** `clientId` of an API client or `tokenId` of a restricted access token; what writes are counted against. */
  credentialId: z.string(),
});

export type Identity = z.output<typeof identity>;
