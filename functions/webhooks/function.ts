import type { ApiDependencies } from '../../shared/config/dependencies.ts';
import type { DataKeys } from '../../shared/crypto/data-keys.ts';
import type { Log } from '../../shared/log/log.ts';
import { toError } from '../../shared/log/to-error.ts';
import { createPipeline, type Pipeline } from '../../shared/request/pipeline.ts';
import { type WriteGuardTables, writeGuards } from '../../shared/request/write-guards.ts';
import type { AddressRules } from '../../shared/webhooks/address.ts';
import type { DrainQueues } from '../../shared/webhooks/drain-queues.ts';
import { createWebhookSecrets } from '../../shared/webhooks/secrets.ts';
import { createWaker, type Waker } from '../../shared/webhooks/wake.ts';
import type { SendLook } from './deliver-again.ts';
import { createDeliveryRequests } from './delivery-requests.ts';
import { createFeedStore } from './feed-store.ts';
import type { FeedStop } from './list-events.ts';
import { webhookOperations } from './operations.ts';
import { webhookRoutes } from './routes.ts';
import { createWebhookStore } from './store.ts';

type WebhooksDependencies = ApiDependencies<
  'webhooks' | 'outbox' | keyof WriteGuardTables,
  { readonly queues: DrainQueues; readonly dataKeys: DataKeys }
> & {
  /** Which addresses a webhook may point to. */
  readonly addressRules: AddressRules;
};

/** Answers the routes of webhooks and their deliveries, and of the feed of events. */
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
      sendLook: createSendLook(
        createWaker(dynamo, tables.webhooks, { queues, now: context.now }),
        context.logger,
      ),
      secrets: createWebhookSecrets(dataKeys, context.now),
      addressRules,
      feed: createFeedStore(dynamo, tables.outbox),
      onStop: createStopLog(context.logger),
    },
    ...writeGuards(dynamo, tables),
  });

/** The look is asked for in the table already: without its message the schedule sends one, a minute later. */
const createSendLook =
  (waker: Waker, log: Log): SendLook =>
  async (webhook, drain) => {
    try {
      await waker.send(webhook, drain);
    } catch (error) {
      log.warn('The queue did not take a message; the schedule sends it.', {
        event: 'look_not_sent',
        ...webhook,
        error: toError(error),
      });
    }
  };

const createStopLog =
  (log: Log) =>
  ({ owner: upstreamEntityId, position, reason }: FeedStop): void =>
    log.error('Readers of a feed wait before a position whose event cannot be read.', {
      event: 'feed_stopped',
      upstreamEntityId,
      position,
      reason,
    });
