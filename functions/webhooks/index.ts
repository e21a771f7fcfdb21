import { createDrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDataKeys, createKmsClient } from '../../shared/platform/crypto/data-keys.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { webhooksEnvironment } from './environment.ts';
import { createWebhooksFunction } from './function.ts';

const environment = readEnvironment(webhooksEnvironment);
const context = apiContext('webhooks', environment);

export const handler = lambdaHandler(
  createWebhooksFunction({
    clients: {
      dynamo: createDynamoClient(),
      dataKeys: createDataKeys(createKmsClient(), environment.WEBHOOK_KEY_ARN),
      queues: createDrainQueues(createSqsClient(), {
        healthy: environment.HEALTHY_DELIVERIES_QUEUE_URL,
        failing: environment.FAILING_DELIVERIES_QUEUE_URL,
      }),
    },
    tables: {
      webhooks: environment.WEBHOOKS_TABLE,
      outbox: environment.OUTBOX_TABLE,
      idempotency: environment.IDEMPOTENCY_TABLE,
      rateCounters: environment.RATE_COUNTERS_TABLE,
    },
    addressRules: { loopback: environment.ALLOW_LOOPBACK_RECEIVERS === 'yes' },
    context,
  }),
  context,
);
