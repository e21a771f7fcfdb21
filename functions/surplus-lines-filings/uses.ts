import type { FunctionUses } from '#function/uses.ts';
import { writeServiceTables } from '#platform/data/table-design.ts';
import { surplusLinesFilingRoutes } from './routes.ts';

export const uses = {
  routes: surplusLinesFilingRoutes,
  tables: {
    ...writeServiceTables,
    filings: {
      items: ['BatchGetItem', 'PutItem'],
      query: [
        'table',
        'by-downstream',
        'by-owner',
        'by-status',
        'by-state',
        'by-policy-number',
        'by-reference',
        'by-action',
        'by-entity',
        'by-change',
      ],
    },
    fileDocuments: { items: ['BatchGetItem', 'UpdateItem'] },
    downstreamEntities: { items: ['GetItem', 'ConditionCheckItem'] },
    outbox: { items: ['PutItem'] },
  },
  answers: true,
  files: { writes: ['files'] },
} as const satisfies FunctionUses;
