import { createDrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { webhookFanoutEnvironment } from './environment.ts';
import { createWebhookFanoutFunction } from './function.ts';

const environment = readEnvironment(webhookFanoutEnvironment);
const sqs = createSqsClient();

export const handler = createWebhookFanoutFunction({
  clients: {
    dynamo: createDynamoClient(),
    queues: createDrainQueues(sqs, {
      healthy: environment.HEALTHY_DELIVERIES_QUEUE_URL,
      failing: environment.FAILING_DELIVERIES_QUEUE_URL,
    }),
  },
  tables: { webhooks: environment.WEBHOOKS_TABLE },
  queue: queueContext(sqs, environment),
  context: functionContext('webhook-fanout', environment),
});
