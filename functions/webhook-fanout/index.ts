import { functionEntry } from '../../shared/domain/entry.ts';
import { createDrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createWebhookFanoutFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = functionEntry('webhook-fanout', uses, ({ clients, ...common }, started) => {
  const sqs = createSqsClient();
  return createWebhookFanoutFunction({
    ...common,
    clients: { ...clients, queues: createDrainQueues(sqs, started.queues) },
    queue: queueContext(sqs, started.values),
  });
});
