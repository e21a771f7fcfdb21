import type { GroupDocs } from '#platform/contract/documented.ts';
import type { notFoundRoutes } from './routes.ts';

export const docs = {
  description: 'Requests that match no route of the API.',
  routes: {},
} satisfies GroupDocs<typeof notFoundRoutes.routes>;
