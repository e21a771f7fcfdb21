import { createDrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { workerEntry } from '../../shared/domain/worker-entry.ts';
import { createWebhookFanoutFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = workerEntry('webhook-fanout', uses, ({ clients, ...common }, { queues }) =>
  createWebhookFanoutFunction({
    ...common,
    clients: { ...clients, queues: createDrainQueues(queues, clients.sqs) },
  }),
);
