import type { RouteGroup } from '../../shared/contract/route.ts';
import type { AccessMap } from '../../shared/identity/access-map.ts';

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
