import { Logger } from '@aws-lambda-powertools/logger';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { createParkMessage } from '../../shared/queue/park.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { createDeliveryQueues } from '../../shared/webhooks/delivery-queues.ts';
import { webhookFanoutEnvironment } from './environment.ts';
import { busMessage, type FanOutDeps, fanOut } from './fan-out.ts';
import { createFanoutStore } from './store.ts';

const environment = readEnvironment(webhookFanoutEnvironment);
const log = new Logger({ serviceName: 'webhook-fanout', environment: environment.ENVIRONMENT });
const sqs = createSqsClient();
const deps: FanOutDeps = {
  store: createFanoutStore(createDynamoClient(), environment.WEBHOOKS_TABLE),
  queues: createDeliveryQueues(sqs, {
    fast: environment.FAST_DELIVERIES_QUEUE_URL,
    slow: environment.SLOW_DELIVERIES_QUEUE_URL,
  }),
  now: () => new Date(),
  log,
};

export const handler = queueConsumer({
  schema: busMessage,
  work: (delivery) => fanOut(delivery, deps),
  park: createParkMessage(sqs, environment.DEAD_LETTER_QUEUE_URL),
  maxReceiveCount: environment.MAX_RECEIVE_COUNT,
  log,
});
