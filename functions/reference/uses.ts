import type { FunctionUses } from '#function/uses.ts';
import { referenceRoutes } from './routes.ts';

/** Uses of the reference: no table and no secret, since a reader of the page has no credential yet. */
export const uses = { routes: referenceRoutes } as const satisfies FunctionUses;
