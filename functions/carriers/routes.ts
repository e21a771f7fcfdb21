import * as z from 'zod/mini';
import { carrier } from '#domain/carriers/catalog.ts';
import { pageQuery } from '#platform/contract/primitives.ts';
import { routeGroup } from '#platform/contract/route.ts';

export const search = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

export const carrierRoutes = routeGroup('carriers', {
  listCarriers: {
    method: 'GET',
    path: '/v2/upstream/carriers',
    access: { kind: 'upstream', feature: null },
    query: z.object({ ...pageQuery.shape, search: z.optional(search) }),
    answer: { status: 200, page: carrier, as: 'items' },
  },
});
