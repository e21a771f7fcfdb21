import { routeGroup } from '#platform/contract/route.ts';

/** No routes: the gateway sends requests without one here: `/`, unknown paths and wrong methods. */
export const notFoundRoutes = routeGroup('not-found', {});
