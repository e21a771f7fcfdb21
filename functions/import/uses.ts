import type { FunctionUses } from '#function/uses.ts';

export const uses = {
  timeoutSeconds: 300,
  isAudited: true,
  tables: {
    agents: { items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
    associations: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      query: ['table', 'by-npn'],
    },
    carriers: { items: ['BatchGetItem', 'PutItem', 'DeleteItem'] },
    compliance: { items: ['GetItem', 'BatchGetItem', 'PutItem'], query: ['table'] },
    contacts: { items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'] },
    downstreamEntities: { items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'] },
    filings: { items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'], query: ['table'] },
    licensing: { items: ['BatchGetItem', 'PutItem'] },
    organizations: { items: ['GetItem', 'Scan'] },
    outbox: { items: ['PutItem'] },
    policies: {
      items: ['BatchGetItem', 'PutItem', 'ConditionCheckItem'],
      query: ['table', 'by-match', 'by-sale'],
    },
    registryRecords: {
      items: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      query: ['table', 'by-license-number'],
    },
  },
  sends: ['agency-moves'],
} as const satisfies FunctionUses;
