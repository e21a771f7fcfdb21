import type { FunctionUses } from '#function/uses.ts';
import { writeServiceTables } from '#platform/data/table-design.ts';
import { policyRoutes } from './routes.ts';

export const uses = {
  routes: policyRoutes,
  tables: {
    rateCounters: writeServiceTables.rateCounters,
    policies: {
      items: ['GetItem', 'BatchGetItem'],
      query: ['by-number', 'by-status', 'by-state', 'by-match', 'by-ordinal', 'by-change'],
    },
  },
} as const satisfies FunctionUses;
