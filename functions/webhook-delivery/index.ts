import { started } from '../../shared/domain/variables.ts';
import { createDrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createDataKeys, createKmsClient } from '../../shared/platform/crypto/data-keys.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createWebhookDeliveryFunction } from './function.ts';
import { uses } from './uses.ts';

const { queues, tables, values } = started(uses);
const sqs = createSqsClient();

export const handler = createWebhookDeliveryFunction({
  clients: {
    dynamo: createDynamoClient(),
    dataKeys: createDataKeys(createKmsClient(), values.WEBHOOK_KEY_ARN),
    queues: createDrainQueues(sqs, {
      healthy: queues['deliveries-healthy'],
      failing: queues['deliveries-failing'],
    }),
  },
  tables,
  addressRules: { loopback: values.ALLOW_LOOPBACK_RECEIVERS === 'yes' },
  queue: queueContext(sqs, values),
  context: functionContext('webhook-delivery', values),
});
