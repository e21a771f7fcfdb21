import { type FunctionUses, scheduledWorkSeconds } from '#function/uses.ts';

export const uses = {
  // It waits for the work of others.
  timeoutSeconds: scheduledWorkSeconds + 15,
  isAudited: true,
  tables: {
    organizations: { items: ['GetItem', 'PutItem', 'UpdateItem', 'Scan'] },
    filings: { items: ['GetItem', 'PutItem'], query: ['table'] },
    fileDocuments: { items: ['BatchGetItem', 'PutItem', 'UpdateItem'] },
    associations: { items: ['GetItem', 'PutItem', 'UpdateItem'], query: ['table'] },
    downstreamEntities: { items: ['BatchGetItem', 'ConditionCheckItem'] },
    licensing: { items: ['GetItem', 'PutItem', 'DeleteItem', 'Scan'] },
    registryRecords: {
      items: ['BatchGetItem', 'UpdateItem'],
      query: ['table'],
    },
    compliance: { items: ['BatchGetItem'], query: ['table'] },
    outbox: { items: ['PutItem'] },
  },
  files: { writes: ['incoming', 'files'] },
  invokes: ['license-sweep', 'registry-reconciliation', 'link-redemption'],
  redrives: true,
  settings: ['ALLOW_FUTURE_AS_OF', 'REGISTRY_ADDRESS', 'SANDBOX'],
} as const satisfies FunctionUses;
