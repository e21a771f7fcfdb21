import type { FunctionUses } from '../../shared/domain/function-uses.ts';
import { guardTables } from '../../shared/platform/request/guard-tables.ts';
import { complianceRoutes } from './routes.ts';

export const uses = {
  routes: complianceRoutes,
  tables: {
    ...guardTables,
    compliance: { items: ['PutItem'], query: ['table'] },
    outbox: { items: ['PutItem'] },
    registryRecords: { items: ['GetItem', 'BatchGetItem'], query: ['table'] },
  },
  registry: true,
} as const satisfies FunctionUses;
