import type { FunctionUses } from '#domain/function-uses.ts';
import { referenceRoutes } from './routes.ts';

/** It reads no table and no secret: a reader of the page has no credential yet. */
export const uses = { routes: referenceRoutes } as const satisfies FunctionUses;
