import { readdirSync } from 'node:fs';
import type { FunctionUses } from '../shared/domain/function-uses.ts';
import type { RouteGroup } from '../shared/platform/contract/route.ts';
import type { Environment } from './environments.ts';

const names = readdirSync('functions', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/**
 * What every function uses, by its name, which is that of its folder: nothing else lists them. Read synchronously, which both
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

/** Every route group of the service. The gateway, the authorizer's access map, the OpenAPI document, and tests are derived from them. */
export const routeGroups: readonly RouteGroup[] = apiFunctionUses
  .map(({ routes }) => routes)
  .filter(({ routes }) => Object.keys(routes).length > 0)
  .sort(
    (one, other) =>
      Number(other.name === first) - Number(one.name === first) || (one.name < other.name ? -1 : 1),
  );

/** The route groups of an environment. */
export const routeGroupsOf = (environment: Pick<Environment, 'sandbox'>): readonly RouteGroup[] =>
  routeGroups.filter(({ name }) => functionsOf(environment).has(name));
