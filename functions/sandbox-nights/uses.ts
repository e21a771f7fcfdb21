import type { FunctionUses } from '../../shared/domain/function-uses.ts';

export const uses = {
  sandbox: true,
  timeoutSeconds: 300,
  schedules: { nights: { everyMinutes: 1 } },
  tables: {
    registryRecords: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      query: ['table', 'by-renewal'],
    },
    compliance: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      query: ['table', 'by-start'],
    },
    agents: { items: ['BatchGetItem'], query: ['by-npn'] },
    associations: { items: ['BatchGetItem'], query: ['by-npn'] },
    downstreamEntities: { items: ['BatchGetItem'] },
    organizations: { items: ['GetItem'] },
    outbox: { items: ['PutItem', 'UpdateItem'] },
  },
  registry: true,
} as const satisfies FunctionUses;
