import { createDrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDataKeys, createKmsClient } from '../../shared/platform/crypto/data-keys.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
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
