import type { FunctionUses } from '#function/uses.ts';
import { writeServiceTables } from '#platform/data/table-design.ts';
import { saleCheckRoutes } from './routes.ts';

export const uses = {
  routes: saleCheckRoutes,
  tables: {
    ...writeServiceTables,
    agents: { items: ['BatchGetItem'], query: ['table', 'by-npn'] },
    associations: { items: ['BatchGetItem'], query: ['by-npn'] },
    carriers: { items: ['BatchGetItem'] },
    compliance: { items: ['BatchGetItem'], query: ['table'] },
    organizations: { items: ['BatchGetItem'] },
    registryRecords: { items: ['BatchGetItem'], query: ['table'] },
    saleReceipts: { items: ['PutItem'] },
  },
  answers: true,
  receiptKeys: true,
} as const satisfies FunctionUses;
