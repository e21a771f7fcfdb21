import { carrier } from '#domain/carriers/catalog.ts';
import { pageQueryDocs } from '#platform/contract/docs.ts';
import { documented, type GroupDocs } from '#platform/contract/documented.ts';
import { type carrierRoutes, search } from './routes.ts';

documented(carrier, {
  id: 'Carrier',
  description: 'An insurer.',
  fields: {
    _id: 'Id of the carrier in this list; no other operation takes it.',
    name: ['Legal name of the insurer.', 'Beacon Specialty Insurance Company'],
    naicCode: 'NAIC company code, the `companyCode` of the insurer’s appointments.',
    groupName: ['Insurance group to which the insurer belongs.', 'Beacon Group'],
    domicileStateCode: 'State in which the insurer is domiciled.',
    status: {
      description: 'Whether the insurer is in business.',
      values: { active: 'The insurer writes policies.', inactive: 'The insurer no longer writes policies.' },
    },
  },
});

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
