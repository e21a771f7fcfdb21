import { pathParameters, type Route, rateLimits } from '#platform/contract/route.ts';
import { routeGroups } from '../../infra/function-uses.ts';
import { inShort } from './extent.ts';
import { errorShape, newOrganization, type Organization, officeAddress } from './local-api.ts';

/** Every row of the route tables, under a title for `it.each`. */
export const routes = routeGroups.flatMap(({ routes: table }) =>
  Object.entries(table).map(([operationId, route]): [string, Route] => [
    `${operationId} (${route.method} ${route.path})`,
    route,
  ]),
);
export const routesWithCredential = routes.filter(([, route]) => route.access !== 'public');
export const routesWithIds = routesWithCredential.filter(([, { path }]) => pathParameters(path).length > 0);

/** How a route answers a request that is not valid: in the shape of this API's errors, or of the standard that it follows. */
export const badRequest = ({ standard }: Route, more: object = {}): object =>
  standard === undefined
    ? errorShape(400, 'validation_error', more)
    : { error: 'invalid_request', error_description: expect.any(String) };

/** A well-formed id that names nothing. */
export const unknownId = 'ffffffffffffffffffffffff';

/** Likewise an NPN. */
const unknownNpn = '9999999999';

/** A route's path with its parameters filled in; what names nothing does so by a value of the parameter's kind. */
export const fill = (path: string, value: (name: string) => string): string =>
  path.replace(/\{([A-Za-z]+)\}/g, (_, name: string) => {
    const given = value(name);
    return name === 'npn' && given === unknownId ? unknownNpn : given;
  });

/** Whether every route is asked for everything, as `npm run test:long` does. */
export const asksAll = inShort(false, true);

/** A route's place among all. */
export const placeOf = (route: Route): number => routes.findIndex(([, one]) => one === route);

/** Of what the pipeline treats alike for every route, the one that this route is asked for; its neighbors are asked for others. */
export const someOf = <Item>(all: readonly Item[], route: Route): readonly Item[] =>
  asksAll ? all : all.filter((_, index) => index === placeOf(route) % all.length);

/** One organization of each kind. */
export interface Personas {
  readonly upstreamEntity: Organization;
  readonly downstreamEntity: Organization;
}

/** Creates an organization of each kind. */
export async function newPersonas(settings?: Parameters<typeof newOrganization>[1]): Promise<Personas> {
  const [upstreamEntity, downstreamEntity] = await Promise.all([
    newOrganization('upstreamEntity', settings),
    newOrganization('downstreamEntity', settings),
  ]);
  return { upstreamEntity, downstreamEntity };
}

/** The persona that may call a route. */
export function callerOf(route: Route, personas: Personas): Organization {
  const kind = route.access === 'public' || route.access.kind === 'any' ? 'upstream' : route.access.kind;
  return kind === 'upstream' ? personas.upstreamEntity : personas.downstreamEntity;
}

/** Headers of a credential that the route accepts. */
export function credentialFor(
  route: Route,
  organization: Pick<Organization, 'bearer' | 'token'>,
): Record<string, string> {
  const credential = route.access === 'public' ? undefined : route.access.credential;
  return credential === 'restricted access token'
    ? { ...organization.token, 'x-local-source-ip': officeAddress }
    : { ...organization.bearer };
}

/**
 * Organizations without records for the tests of a `describe`. They are replaced before their requests could reach the
 * rate limit of writes, which would answer in place of what a test is about.
 */
export function strangers(requestsPerTest: number): { readonly current: () => Personas } {
  let personas: Personas | undefined;
  let requests = 0;
  beforeEach(async () => {
    requests += requestsPerTest;
    if (personas !== undefined && requests <= rateLimits.write.limit) return;
    personas = await newPersonas();
    requests = requestsPerTest;
  });
  return {
    current: () => {
      if (personas === undefined) throw new Error('No test is running.');
      return personas;
    },
  };
}
