import { type FunctionUses, hourOfRetries } from '../../shared/domain/function-uses.ts';

export const uses = {
  timeoutSeconds: 60,
  consumes: {
    'compliance-changes': {
      batchSize: 5,
      maxReceiveCount: hourOfRetries,
      events: ['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 'COMPLIANCE_INPUTS_CHANGED'],
    },
  },
  tables: {
    compliance: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      query: ['table'],
    },
    registryRecords: { items: ['PutItem'], query: ['table'] },
    agents: { query: ['table', 'by-npn'] },
    associations: { items: ['BatchGetItem'], query: ['table', 'by-npn'] },
    downstreamEntities: { items: ['BatchGetItem'] },
    organizations: { items: ['GetItem'] },
    outbox: { items: ['PutItem'] },
  },
  sends: ['compliance-changes'],
  recursion:
    'A change is reported when its window ends, and each further change moves that end: its message is sent again until then, for half an hour at most. A recheck sends jobs, which send no jobs.',
} as const satisfies FunctionUses;
