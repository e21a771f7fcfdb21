import * as z from 'zod/mini';
import { carrier } from '../../shared/domain/carriers/resource.ts';
import { described } from '../../shared/platform/contract/described.ts';
import { lazily } from '../../shared/platform/contract/lazily.ts';
import { pageQuery } from '../../shared/platform/contract/primitives.ts';
import { routeGroup } from '../../shared/platform/contract/route.ts';

const search = described(
  z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  DOCUMENTED && {
    description:
      'Part of the carrier’s name or NAIC company code, 1 to 200 characters. Case and surrounding spaces are ignored; accents are not.',
    examples: ['beacon'],
  },
);

export const carrierRoutes = routeGroup(
  'carriers',
  DOCUMENTED && 'Insurers, the same for every organization.',
  {
    listCarriers: {
      method: 'GET',
      path: '/v2/upstream/carriers',
      access: { kind: 'upstream', feature: null },
      summary: DOCUMENTED && 'List carriers',
      description:
        DOCUMENTED &&
        'Returns carriers, ordered by name, then id. `search` ignores case, but not accents. A change to a carrier is visible within a minute.',
      success: DOCUMENTED && 'The carriers on this page.',
      query: lazily(() => ({ ...pageQuery(), search: z.optional(search) })),
      answer: { status: 200, page: carrier, as: 'items' },
    },
  },
);
