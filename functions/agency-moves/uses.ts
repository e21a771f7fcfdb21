import { type FunctionUses, hourOfRetries } from '#function/uses.ts';

export const uses = {
  timeoutSeconds: 120,
  consumes: { 'agency-moves': { batchSize: 1, maxReceiveCount: hourOfRetries } },
  tables: {
    associations: {
      items: ['GetItem', 'PutItem', 'DeleteItem', 'BatchWriteItem'],
      query: ['table'],
    },
    contacts: { items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'], query: ['table'] },
    downstreamEntities: { items: ['GetItem', 'UpdateItem', 'ConditionCheckItem'] },
    fileDocuments: { items: ['BatchGetItem', 'BatchWriteItem'], query: ['table'] },
    filings: {
      items: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
      query: ['table'],
    },
    licensing: { items: ['BatchWriteItem'], query: ['table'] },
    organizations: { items: ['GetItem'] },
    registryRecords: { items: ['UpdateItem'] },
  },
} as const satisfies FunctionUses;
