import type { FunctionUses } from '#function/uses.ts';
import { writeServiceTables } from '#platform/data/table-design.ts';
import { webhookRoutes } from './routes.ts';

export const uses = {
  routes: webhookRoutes,
  tables: {
    ...writeServiceTables,
    webhooks: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      query: ['table', 'by-webhook'],
    },
    outbox: { items: ['GetItem', 'BatchGetItem'], query: ['table'] },
  },
  answers: true,
  webhookKey: 'encrypts',
  sends: ['deliveries-healthy', 'deliveries-failing'],
  settings: ['ALLOW_LOOPBACK_RECEIVERS'],
} as const satisfies FunctionUses;
