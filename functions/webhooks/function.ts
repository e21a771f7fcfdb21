import type { ApiDependencies } from '../../shared/config/dependencies.ts';
import type { DataKeys } from '../../shared/crypto/data-keys.ts';
import { createPipeline, type Pipeline } from '../../shared/request/pipeline.ts';
import { type WriteGuardTables, writeGuards } from '../../shared/request/write-guards.ts';
import type { AddressRules } from '../../shared/webhooks/address.ts';
import type { DeliveryQueues } from '../../shared/webhooks/delivery-queues.ts';
import { createWebhookSecrets } from '../../shared/webhooks/secrets.ts';
import { createDeliveryRequests } from './delivery-requests.ts';
import { webhookOperations } from './operations.ts';
import { webhookRoutes } from './routes.ts';
import { createWebhookStore } from './store.ts';

type WebhooksDependencies = ApiDependencies<
  'webhooks' | keyof WriteGuardTables,
  { readonly queues: DeliveryQueues; readonly dataKeys: DataKeys }
> & {
  /** Which addresses a webhook may point to. */
  readonly addressRules: AddressRules;
};

/** Answers the routes of webhooks and their deliveries. */
export const createWebhooksFunction = ({
  clients: { dynamo, queues, dataKeys },
  tables,
  addressRules,
  context,
}: WebhooksDependencies): Pipeline =>
  createPipeline({
    ...context,
    group: webhookRoutes,
    operations: webhookOperations,
    deps: {
      webhooks: createWebhookStore(dynamo, tables.webhooks),
      deliveries: createDeliveryRequests(dynamo, tables.webhooks),
      queues,
      secrets: createWebhookSecrets(dataKeys, context.now),
      addressRules,
    },
    ...writeGuards(dynamo, tables),
  });
