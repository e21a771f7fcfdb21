import * as z from 'zod/mini';
import { features } from '../contract/access.ts';
import { object } from '../contract/object.ts';

/**
 * Who may call each route that needs a credential, by method and path (`GET /v2/upstream/policies`). The build derives it
 * from the route tables and puts it next to the authorizer's bundle, which therefore contains no routes and no schemas.
 */
export const accessMap = z.record(
  z.string(),
  object(() => ({
    kind: z.enum(['upstream', 'downstream', 'any']),
    feature: z.nullable(z.enum(features)),
    credential: z.optional(z.enum(['oauth', 'restricted access token'])),
  })),
);

export type AccessMap = z.output<typeof accessMap>;
