import { type FunctionUses, hourOfRetries } from '#function/uses.ts';

const consumption = { batchSize: 5, maxReceiveCount: hourOfRetries } as const;

const types = ['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 'COMPLIANCE_INPUTS_CHANGED'] as const;

export const uses = {
  timeoutSeconds: 60,
  consumes: {
    'compliance-changes': { ...consumption, events: { types, ofImports: false } },
    'compliance-changes-imports': { ...consumption, behindAfterHours: 1, events: { types, ofImports: true } },
  },
  tables: {
    compliance: {
      items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
      query: ['table'],
    },
    registryRecords: { items: ['BatchGetItem', 'PutItem'], query: ['table'] },
    agents: { query: ['table', 'by-npn'] },
    associations: { items: ['BatchGetItem'], query: ['table', 'by-npn'] },
    downstreamEntities: { items: ['BatchGetItem'] },
    organizations: { items: ['GetItem'] },
    outbox: { items: ['PutItem'] },
  },
  sends: ['compliance-changes', 'compliance-changes-imports'],
  recursion:
    'A change is reported when its window ends, and each further change moves that end: its message is sent again until then, for half an hour at most. A recheck sends jobs, which send no jobs.',
} as const satisfies FunctionUses;
