import { functionContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDataKeys, createKmsClient } from '../../shared/crypto/data-keys.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { queueContext } from '../../shared/queue/context.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { createDrainQueues } from '../../shared/webhooks/drain-queues.ts';
import { webhookDeliveryEnvironment } from './environment.ts';
import { createWebhookDeliveryFunction } from './function.ts';

const environment = readEnvironment(webhookDeliveryEnvironment);
const sqs = createSqsClient();

export const handler = createWebhookDeliveryFunction({
  clients: {
    dynamo: createDynamoClient(),
    dataKeys: createDataKeys(createKmsClient(), environment.WEBHOOK_KEY_ARN),
    queues: createDrainQueues(sqs, {
      healthy: environment.HEALTHY_DELIVERIES_QUEUE_URL,
      failing: environment.FAILING_DELIVERIES_QUEUE_URL,
    }),
  },
  tables: { webhooks: environment.WEBHOOKS_TABLE, outbox: environment.OUTBOX_TABLE },
  addressRules: { loopback: environment.ALLOW_LOOPBACK_RECEIVERS === 'yes' },
  queue: queueContext(sqs, environment),
  context: functionContext('webhook-delivery', environment),
});
