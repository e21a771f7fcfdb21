import type { RouteGroup } from '../shared/contract/route.ts';
import { authRoutes } from './auth/routes.ts';
import { policyRoutes } from './policies/routes.ts';

/**
 * Every route group of the service. Gateway, authorizer's access map, OpenAPI document and the derived tests read this
 * list; a group that is missing here does not exist.
 */
export const routeGroups: readonly RouteGroup[] = [authRoutes, policyRoutes];
