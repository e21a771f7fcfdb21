import { webhookTypes } from '#domain/events/payloads.ts';
import { type FunctionUses, hourOfRetries } from '#function/uses.ts';

const consumption = { batchSize: 10, maxReceiveCount: hourOfRetries } as const;

export const uses = {
  timeoutSeconds: 30,
  consumes: {
    'webhook-fanout': { ...consumption, events: { types: webhookTypes, ofImports: false } },
    'webhook-fanout-imports': {
      ...consumption,
      behindAfterHours: 1,
      events: { types: webhookTypes, ofImports: true },
    },
  },
  tables: {
    webhooks: { items: ['BatchGetItem', 'BatchWriteItem', 'PutItem', 'UpdateItem'], query: ['table'] },
  },
  sends: ['deliveries-healthy', 'deliveries-failing'],
} as const satisfies FunctionUses;
