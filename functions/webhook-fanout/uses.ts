import { webhookTypes } from '../../shared/domain/events/payloads.ts';
import { type FunctionUses, hourOfRetries } from '../../shared/domain/function-uses.ts';

export const uses = {
  timeoutSeconds: 30,
  consumes: { 'webhook-fanout': { batchSize: 10, maxReceiveCount: hourOfRetries, events: webhookTypes } },
  tables: {
    webhooks: { items: ['BatchGetItem', 'BatchWriteItem', 'PutItem', 'UpdateItem'], query: ['table'] },
  },
  sends: ['deliveries-healthy', 'deliveries-failing'],
} as const satisfies FunctionUses;
