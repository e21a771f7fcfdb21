import { apiContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { createIdempotency } from '../../shared/request/idempotency.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { createRateLimiter } from '../../shared/request/rate-limit.ts';
import { createDeliveryQueues } from '../../shared/webhooks/delivery-queues.ts';
import { createDeliveryRequests } from './delivery-requests.ts';
import { webhooksEnvironment } from './environment.ts';
import { webhookOperations } from './operations.ts';
import { webhookRoutes } from './routes.ts';
import { createWebhookStore } from './store.ts';

const environment = readEnvironment(webhooksEnvironment);
const context = apiContext('webhooks', environment);
const dynamo = createDynamoClient();

export const handler = lambdaHandler(
  createPipeline({
    ...context,
    group: webhookRoutes,
    operations: webhookOperations,
    deps: {
      webhooks: createWebhookStore(dynamo, environment.WEBHOOKS_TABLE),
      deliveries: createDeliveryRequests(dynamo, environment.WEBHOOKS_TABLE),
      queues: createDeliveryQueues(createSqsClient(), {
        fast: environment.FAST_DELIVERIES_QUEUE_URL,
        slow: environment.SLOW_DELIVERIES_QUEUE_URL,
      }),
      addressRules: { loopback: environment.ALLOW_LOOPBACK_RECEIVERS === 'yes' },
    },
    rateLimiter: createRateLimiter(dynamo, environment.RATE_COUNTERS_TABLE),
    idempotency: createIdempotency(dynamo, environment.IDEMPOTENCY_TABLE),
  }),
  context,
);
