import { started } from '../../shared/domain/variables.ts';
import { createDrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createWebhookFanoutFunction } from './function.ts';
import { uses } from './uses.ts';

const { queues, tables, values } = started(uses);
const sqs = createSqsClient();

export const handler = createWebhookFanoutFunction({
  clients: {
    dynamo: createDynamoClient(),
    queues: createDrainQueues(sqs, {
      healthy: queues['deliveries-healthy'],
      failing: queues['deliveries-failing'],
    }),
  },
  tables,
  queue: queueContext(sqs, values),
  context: functionContext('webhook-fanout', values),
});
