import type { FunctionUses } from '../../shared/domain/function-uses.ts';

export const uses = {
  timeoutSeconds: 300,
  audited: true,
  clocks: true,
  tables: {
    organizations: { items: ['GetItem', 'PutItem', 'UpdateItem', 'Scan'] },
    rateCounters: { items: ['BatchGetItem'] },
    filings: { items: ['GetItem', 'PutItem'], query: ['table'] },
    fileDocuments: { items: ['BatchGetItem', 'PutItem', 'UpdateItem'] },
    associations: { items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], query: ['table'] },
    contacts: { items: ['GetItem', 'PutItem'] },
    downstreamEntities: { items: ['BatchGetItem'] },
    oneTimeLinks: { items: ['GetItem', 'PutItem', 'UpdateItem'] },
    agents: { items: ['BatchGetItem'], query: ['table'] },
    licensing: { items: ['GetItem', 'PutItem', 'DeleteItem', 'Scan'] },
    registryRecords: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      query: ['table', 'by-list', 'by-npn', 'by-state', 'by-renewal', 'by-poll'],
    },
    compliance: { items: ['GetItem', 'BatchGetItem'], query: ['table', 'by-start'] },
    outbox: { items: ['PutItem'] },
  },
  files: { writes: ['incoming', 'files'] },
  registry: true,
  registryChanges: true,
  redrives: true,
  linkSecret: true,
  settings: ['REGISTRY_POLLS_PER_SECOND', 'MOST_CALLS_A_NIGHT', 'ALLOW_FUTURE_AS_OF', 'SANDBOX'],
} as const satisfies FunctionUses;
