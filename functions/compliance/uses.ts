import type { FunctionUses } from '#function/uses.ts';
import { writeServiceTables } from '#platform/data/table-design.ts';
import { complianceRoutes } from './routes.ts';

export const uses = {
  routes: complianceRoutes,
  tables: {
    ...writeServiceTables,
    agents: { items: ['BatchGetItem'], query: ['table'] },
    associations: { items: ['GetItem', 'BatchGetItem'], query: ['table', 'by-npn'] },
    carriers: { query: ['table'] },
    compliance: { items: ['GetItem', 'BatchGetItem', 'PutItem'], query: ['table'] },
    organizations: { items: ['GetItem'] },
    outbox: { items: ['PutItem'] },
    policies: { query: ['by-agency', 'by-state', 'by-sale'] },
    registryRecords: { items: ['GetItem', 'BatchGetItem'], query: ['table'] },
    saleReceipts: { query: ['table'] },
  },
  answers: true,
  registry: true,
  settings: ['REGISTRY_QUESTIONS_A_DAY'],
} as const satisfies FunctionUses;
