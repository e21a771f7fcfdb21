import type { FunctionUses } from '#function/uses.ts';
import { writeServiceTables } from '#platform/data/table-design.ts';
import { agencyRoutes } from './routes.ts';

export const uses = {
  routes: agencyRoutes,
  tables: {
    ...writeServiceTables,
    downstreamEntities: {
      items: ['GetItem', 'BatchGetItem', 'ConditionCheckItem'],
      query: ['by-organization'],
    },
    agents: { items: ['BatchGetItem'], query: ['by-list', 'by-npn'] },
    associations: { items: ['BatchGetItem'], query: ['by-list', 'by-list-entity'] },
    registryRecords: {
      items: ['BatchGetItem'],
      query: ['table', 'by-list', 'by-npn', 'by-state', 'by-status', 'by-license-number'],
    },
    compliance: { items: ['BatchGetItem'], query: ['table'] },
    organizations: { items: ['GetItem'] },
    licensing: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
      query: ['by-list', 'by-list-entity'],
    },
    filings: { items: ['BatchGetItem'], query: ['by-action', 'by-entity'] },
  },
  answers: true,
} as const satisfies FunctionUses;
