import type { FunctionUses } from '#function/uses.ts';
import { writeServiceTables } from '#platform/data/table-design.ts';
import { contactRoutes } from './routes.ts';

export const uses = {
  routes: contactRoutes,
  tables: {
    ...writeServiceTables,
    contacts: { items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'], query: ['table', 'by-list'] },
    associations: { items: ['GetItem', 'BatchGetItem'], query: ['table'] },
    downstreamEntities: { items: ['GetItem', 'ConditionCheckItem'] },
  },
  answers: true,
} as const satisfies FunctionUses;
