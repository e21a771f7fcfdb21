import type { RouteGroup } from '../../shared/contract/route.ts';
import type { AccessMap } from '../../shared/identity/access-map.ts';

/** Who may call each route that needs a credential; what `public` routes lack, the authorizer is never asked for. */
export function accessMap(groups: readonly RouteGroup[]): AccessMap {
  const map: AccessMap = {};
  for (const { routes } of groups) {
    for (const { method, path, access } of Object.values(routes)) {
      if (access !== 'public') map[`${method} ${path}`] = access;
    }
  }
  return map;
}
