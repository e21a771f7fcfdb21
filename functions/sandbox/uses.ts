import type { FunctionUses } from '../../shared/domain/function-uses.ts';
import { guardTables } from '../../shared/platform/data/table-design.ts';
import { sandboxRoutes } from './routes.ts';

export const uses = {
  sandbox: true,
  routes: sandboxRoutes,
  tables: {
    ...guardTables,
    registryRecords: { items: ['GetItem', 'PutItem', 'UpdateItem'] },
  },
} as const satisfies FunctionUses;
