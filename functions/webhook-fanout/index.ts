import { functionContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { queueContext } from '../../shared/queue/context.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { createDrainQueues } from '../../shared/webhooks/drain-queues.ts';
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
