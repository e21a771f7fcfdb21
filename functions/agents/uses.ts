import type { FunctionUses } from '#function/uses.ts';
import { writeServiceTables } from '#platform/data/table-design.ts';
import { agentRoutes } from './routes.ts';

export const uses = {
  routes: agentRoutes,
  tables: {
    rateCounters: writeServiceTables.rateCounters,
    agents: { items: ['GetItem', 'BatchGetItem'], query: ['table', 'by-npn', 'by-change'] },
    compliance: { items: ['GetItem', 'BatchGetItem'] },
    organizations: { items: ['GetItem'] },
    registryRecords: { items: ['BatchGetItem'], query: ['table', 'by-license-number', 'by-change'] },
  },
} as const satisfies FunctionUses;
