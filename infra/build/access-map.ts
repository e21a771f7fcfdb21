import type { RouteGroup } from '../../shared/platform/contract/route.ts';
import type { AccessMap } from '../../shared/platform/identity/access-map.ts';

/** Who may call each route that requires a credential. `public` routes have no authorizer. */
export function accessMap(groups: readonly RouteGroup[]): AccessMap {
  const map: AccessMap = {};
  for (const { routes } of groups) {
    for (const { method, path, access } of Object.values(routes)) {
      if (access !== 'public') map[`${method} ${path}`] = access;
    }
  }
  return map;
}

/**
 * The access map that is deployed: it also has the routes of the previous release. The authorizer is deployed first, and
 * until the gateway follows, callers still reach routes that are gone or no longer require a credential.
 *
 * Where both releases have a route, the present access counts at once, whichever of them answers. If it is stricter, it is
 * because nobody else should call any longer; to require both would keep a route that is opened closed until a later
 * release; and to require either would admit those that were excluded. A function of the previous release that answers a
 * route which was opened to another kind of organization refuses that kind by its own route table (`pipeline.ts`).
 */
export const deployedAccessMap = (groups: readonly RouteGroup[], previous: AccessMap): AccessMap => ({
  ...previous,
  ...accessMap(groups),
});
