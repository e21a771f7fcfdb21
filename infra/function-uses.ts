import { readdirSync } from 'node:fs';
import { Duration } from 'aws-cdk-lib';
import type { FunctionUses } from '#function/uses.ts';
import { firewallLogPrefix, integrationTimeoutSeconds } from '#platform/aws/limits.ts';
import { isList, type Route, type RouteClass, type RouteGroup } from '#platform/contract/route.ts';
import type { AccessMap } from '../functions/authorizer/authenticate.ts';
import { type Environment, resourceName } from './environments.ts';

const names = readdirSync('functions', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/**
 * Uses of every function by its name, which is that of its folder: nothing else lists them. Read synchronously, which both
 * the bundler, for which the pattern names files, and jest can do.
 */
export const functionUses: ReadonlyMap<string, FunctionUses> = new Map(
  names.map((name) => [
    name,
    (require(`../functions/${name}/uses.ts`) as { readonly uses: FunctionUses }).uses,
  ]),
);

/** The functions of an environment. */
export const functionsOf = ({ sandbox }: Pick<Environment, 'sandbox'>): ReadonlyMap<string, FunctionUses> =>
  new Map([...functionUses].filter(([, uses]) => sandbox || uses.sandbox === undefined));

/** Megabytes of a function; its processor time is in proportion. */
export const memoryOf = (uses?: FunctionUses): number => uses?.memoryMB ?? 1_024;

/** The group that begins the published document: nobody calls anything else without a token. */
const first = 'auth';

/** The function that authorizes the requests of all others with routes. */
export const authorizerName = 'authorizer';

/** The functions with routes, the one that answers unknown paths among them. */
export const apiFunctionUses = [...functionUses].flatMap(([name, { routes }]) =>
  routes === undefined ? [] : [{ name, routes }],
);

/**
 * Every route group of the service. The gateway, the authorizer's access map, the OpenAPI document, and tests are derived from
 * them.
 */
export const routeGroups: readonly RouteGroup[] = apiFunctionUses
  .map(({ routes }) => routes)
  .filter(({ routes }) => Object.keys(routes).length > 0)
  .sort(
    (group, otherGroup) =>
      Number(otherGroup.name === first) - Number(group.name === first) ||
      (group.name < otherGroup.name ? -1 : 1),
  );

/** The route groups of an environment. */
export const routeGroupsOf = (environment: Pick<Environment, 'sandbox'>): readonly RouteGroup[] =>
  routeGroups.filter(({ name }) => functionsOf(environment).has(name));

/** Integration timeout of routes that are not streamed lists. */
export const usualLimit = Duration.seconds(integrationTimeoutSeconds);
// API Gateway allows 15 minutes for streamed responses (`streamedIntegrationTimeoutSeconds`); five are ample for the
// longest list.
const streamedList = Duration.minutes(5);

/** Integration timeout of a route. */
export const integrationLimit = (route: Route): Duration => (isList(route) ? streamedList : usualLimit);

/**
 * Timeout of a route group's function. For streamed lists it exceeds the integration timeout, so that the gateway closes
 * the connection and the function can still log why.
 */
export const functionLimit = (group: RouteGroup): Duration =>
  Object.values(group.routes).some(isList) ? streamedList.plus(Duration.seconds(10)) : usualLimit;

/** Milliseconds that 99 of 100 requests of a class may take; callers determine how long the other classes take. */
export const slowAboveMs = {
  token: 2_000,
  read: 2_000,
  page: 3_000,
  write: 3_000,
  list: undefined,
  upload: undefined,
} as const satisfies Readonly<Record<RouteClass, number | undefined>>;

/**
 * Names of log groups of the service stack, by which the watch stack knows them. Where data is kept they stay when the
 * service stack is deleted, and are imported when it is created again (`infra/runbook.md`, "Creating a stack again").
 */
export const logGroupName = {
  function: (environment: string, name: string) => `/aws/lambda/${resourceName(environment, name)}`,
  accessLog: (environment: string) => `/aws/apigateway/${resourceName(environment, 'api')}`,
  // API Gateway requires the name, and would create the group itself, to be kept for ever.
  executionLog: (restApiId: string, stageName: string) =>
    `API-Gateway-Execution-Logs_${restApiId}/${stageName}`,
  // WAF requires the prefix.
  firewall: (environment: string) => `${firewallLogPrefix}${resourceName(environment, 'firewall')}`,
};

/** Access rules of each route that requires a credential. `public` routes have no authorizer. */
export function accessMap(groups: readonly RouteGroup[]): AccessMap {
  const map: AccessMap = {};
  for (const { routes } of groups) {
    for (const { method, path, access } of Object.values(routes)) {
      if (access !== 'public') map[`${method} ${path}`] = access;
    }
  }
  return map;
}
