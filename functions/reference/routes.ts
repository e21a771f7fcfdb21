import * as z from 'zod/mini';
import { routeGroup } from '#platform/contract/route.ts';

export const referenceRoutes = routeGroup('reference', {
  getReference: {
    method: 'GET',
    path: '/docs',
    access: 'public',
    answer: { status: 200, document: 'text/html; charset=utf-8' },
  },
  getReferenceAsset: {
    method: 'GET',
    path: '/docs/{asset}',
    access: 'public',
    params: { asset: z.string() },
    answer: { status: 200, document: 'text/javascript; charset=utf-8' },
  },
});
