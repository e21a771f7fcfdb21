import type { WorkerDependencies } from '../../shared/config/dependencies.ts';
import type { DataKeys } from '../../shared/crypto/data-keys.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import type { AddressRules } from '../../shared/webhooks/address.ts';
import { deliveryMessage } from '../../shared/webhooks/deliveries.ts';
import type { DeliveryQueues } from '../../shared/webhooks/delivery-queues.ts';
import { createWebhookSecrets } from '../../shared/webhooks/secrets.ts';
import { type DeliverDeps, deliver } from './deliver.ts';
import { createExchange } from './exchange.ts';
import { createDeliveryStore } from './store.ts';

type DeliveryDependencies = WorkerDependencies<
  'webhooks' | 'outbox',
  { readonly queues: DeliveryQueues; readonly dataKeys: DataKeys }
> & {
  /** Which addresses are delivered to. */
  readonly addressRules: AddressRules;
};

/** Works on the messages of both deliveries queues; a message says in which it was. */
export function createWebhookDeliveryFunction({
  clients: { dynamo, queues, dataKeys },
  tables,
  addressRules,
  queue,
  context: { logger: log, now },
}: DeliveryDependencies) {
  const deps: DeliverDeps = {
    store: createDeliveryStore(dynamo, tables),
    queues,
    secrets: createWebhookSecrets(dataKeys, now),
    exchange: createExchange({ rules: addressRules }),
    now,
    random: Math.random,
    log,
  };
  return queueConsumer({
    schema: deliveryMessage,
    work: (delivery) => deliver(delivery, deps),
    ...queue,
    log,
  });
}
