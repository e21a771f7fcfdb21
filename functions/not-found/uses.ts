import type { FunctionUses } from '#function/uses.ts';
import { routeGroup } from '#platform/contract/route.ts';

/** No routes: the gateway sends requests without one here: `/`, unknown paths and wrong methods. */
export const notFoundRoutes = routeGroup('not-found', {});

/** A function apart: it is reached without a credential, and a flood delays only its own callers. */
export const uses = { routes: notFoundRoutes } as const satisfies FunctionUses;
