import type { FunctionUses } from '#function/uses.ts';

export const uses = {
  timeoutSeconds: 60,
  // Every six minutes for half an hour. A longer outage of the registry needs on-call.
  consumes: { 'registry-sync': { batchSize: 5, maxReceiveCount: 5 } },
  tables: {
    registryRecords: {
      items: ['PutItem', 'UpdateItem', 'DeleteItem'],
      query: ['table'],
    },
    outbox: { items: ['PutItem'] },
  },
  registry: true,
} as const satisfies FunctionUses;
