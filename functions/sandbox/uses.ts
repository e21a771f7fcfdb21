import type { FunctionUses } from '#function/uses.ts';
import { writeServiceTables } from '#platform/data/table-design.ts';
import { sandboxRoutes } from './routes.ts';

export const uses = {
  sandbox: true,
  routes: sandboxRoutes,
  tables: {
    ...writeServiceTables,
    registryRecords: { items: ['GetItem', 'PutItem', 'UpdateItem'] },
  },
  answers: true,
  sends: ['sandbox-nightly-run'],
} as const satisfies FunctionUses;
