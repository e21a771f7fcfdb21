import { nightlyRunMinutes } from '#domain/sandbox/nightly-runs.ts';
import type { FunctionUses } from '#function/uses.ts';

export const uses = {
  sandbox: true,
  timeoutSeconds: nightlyRunMinutes * 60,
  // A second delivery comes when the run is broken off: the caller has it gone on with.
  consumes: { 'sandbox-nightly-run': { batchSize: 1, maxReceiveCount: 5 } },
  tables: {
    registryRecords: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      query: ['table'],
    },
    compliance: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
      query: ['table'],
    },
    agents: { items: ['BatchGetItem'], query: ['by-npn'] },
    associations: { items: ['BatchGetItem'], query: ['by-npn'] },
    downstreamEntities: { items: ['BatchGetItem'] },
    organizations: { items: ['GetItem'] },
    outbox: { items: ['PutItem'] },
  },
  registry: true,
} as const satisfies FunctionUses;
