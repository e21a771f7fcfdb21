import { pageQueryDocs } from '#platform/contract/docs.ts';
import { documented, type GroupDocs } from '#platform/contract/documented.ts';
import { type carrierRoutes, search } from './routes.ts';

const searchDocs = documented(search, {
  description:
    'Part of the carrier’s name or NAIC company code, 1 to 200 characters. Case and surrounding spaces are ignored; accents are not.',
  examples: ['beacon'],
});

export const docs = {
  description: 'Insurers, the same for every organization.',
  routes: {
    listCarriers: {
      summary: 'List carriers',
      description:
        'Returns carriers, ordered by name, then id. `search` ignores case, but not accents. A change to a carrier is visible within a minute.',
      query: { ...pageQueryDocs, search: searchDocs },
    },
  },
} satisfies GroupDocs<typeof carrierRoutes.routes>;
