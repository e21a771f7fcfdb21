import type { FunctionUses } from '#function/uses.ts';
import { writeServiceTables } from '#platform/data/table-design.ts';
import { downstreamEntityAssociationRoutes } from './routes.ts';

export const uses = {
  routes: downstreamEntityAssociationRoutes,
  tables: {
    ...writeServiceTables,
    agents: { items: ['BatchGetItem'] },
    associations: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      query: ['table', 'by-npn', 'by-change'],
    },
    carriers: { query: ['table'] },
    compliance: { items: ['GetItem', 'BatchGetItem'], query: ['table'] },
    contacts: { items: ['GetItem', 'BatchGetItem', 'PutItem'], query: ['by-email', 'by-domain'] },
    downstreamEntities: { items: ['BatchGetItem', 'PutItem', 'ConditionCheckItem'], query: ['by-change'] },
    oneTimeLinks: { items: ['PutItem'] },
    organizations: { items: ['GetItem'] },
    outbox: { items: ['PutItem'] },
    policies: { query: ['by-agency'] },
    registryRecords: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
      query: ['table', 'by-license-number', 'by-change'],
    },
  },
  answers: true,
  sends: ['registry-sync'],
  linkSecret: true,
  settings: ['AGENCY_APP_URL', 'REGISTRY_QUESTIONS_A_DAY'],
} as const satisfies FunctionUses;
