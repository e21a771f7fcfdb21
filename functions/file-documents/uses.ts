import type { FunctionUses } from '#function/uses.ts';
import { writeServiceTables } from '#platform/data/table-design.ts';
import { fileDocumentRoutes } from './routes.ts';

export const uses = {
  routes: fileDocumentRoutes,
  tables: {
    ...writeServiceTables,
    associations: { items: ['GetItem'] },
    downstreamEntities: { items: ['GetItem', 'ConditionCheckItem'] },
    fileDocuments: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
      query: ['by-owner', 'by-entity'],
    },
    outbox: { items: ['PutItem'] },
  },
  answers: true,
  files: { writes: ['incoming', 'files'] },
} as const satisfies FunctionUses;
