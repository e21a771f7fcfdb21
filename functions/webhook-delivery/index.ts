import { Logger } from '@aws-lambda-powertools/logger';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { createParkMessage } from '../../shared/queue/park.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { deliveryMessage } from '../../shared/webhooks/deliveries.ts';
import { createDeliveryQueues } from '../../shared/webhooks/delivery-queues.ts';
import { type DeliverDeps, deliver } from './deliver.ts';
import { webhookDeliveryEnvironment } from './environment.ts';
import { createExchange } from './exchange.ts';
import { createDeliveryStore } from './store.ts';

const environment = readEnvironment(webhookDeliveryEnvironment);
const log = new Logger({ serviceName: 'webhook-delivery', environment: environment.ENVIRONMENT });
const sqs = createSqsClient();
const deps: DeliverDeps = {
  store: createDeliveryStore(createDynamoClient(), {
    webhooks: environment.WEBHOOKS_TABLE,
    outbox: environment.OUTBOX_TABLE,
  }),
  queues: createDeliveryQueues(sqs, {
    fast: environment.FAST_DELIVERIES_QUEUE_URL,
    slow: environment.SLOW_DELIVERIES_QUEUE_URL,
  }),
  exchange: createExchange({ rules: { loopback: environment.ALLOW_LOOPBACK_RECEIVERS === 'yes' } }),
  now: () => new Date(),
  random: Math.random,
  log,
};

/** Both deliveries queues come here; a message says in which it was. */
export const handler = queueConsumer({
  schema: deliveryMessage,
  work: (delivery) => deliver(delivery, deps),
  park: createParkMessage(sqs, environment.DEAD_LETTER_QUEUE_URL),
  maxReceiveCount: environment.MAX_RECEIVE_COUNT,
  log,
});
