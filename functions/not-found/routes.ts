import { routeGroup } from '../../shared/contract/route.ts';

/** No route at all: the gateway sends here what is none, `/`, unknown paths and wrong methods. */
export const notFoundRoutes = routeGroup('not-found', DOCUMENTED && 'What is no route of the API.', {});
