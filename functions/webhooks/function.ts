import { type ApiParts, apiFunction } from '../../shared/domain/api-function.ts';
import type { AddressRules } from '../../shared/domain/webhooks/address.ts';
import type { DrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import type { RoleSessions } from '../../shared/domain/webhooks/role-sessions.ts';
import { createWebhookSecrets } from '../../shared/domain/webhooks/secrets.ts';
import { createWaker, type Waker } from '../../shared/domain/webhooks/wake.ts';
import type { DataKeys } from '../../shared/platform/crypto/data-keys.ts';
import { type Log, toError } from '../../shared/platform/log/log.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import {
  redeliverWebhookDelivery,
  replayWebhookDeliveries,
  type SendDrain,
  testWebhook,
} from './deliver-again.ts';
import { createDeliveryRequests } from './delivery-requests.ts';
import { createFeedStore } from './feed-store.ts';
import { type FeedStop, listEvents } from './list-events.ts';
import { getWebhook, listWebhookDeliveries, listWebhooks, listWebhooksV1 } from './read-webhooks.ts';
import { createWebhookStore } from './store.ts';
import { uses } from './uses.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
  updateWebhookV1,
} from './write-webhooks.ts';

type WebhooksDependencies = ApiParts<
  typeof uses,
  { readonly queues: DrainQueues; readonly dataKeys: DataKeys; readonly roles: RoleSessions }
> & {
  /** Which addresses a webhook may point to. */
  readonly addressRules: AddressRules;
};

/** Answers the routes of webhooks and their deliveries, and of the feed of events. */
export const createWebhooksFunction = apiFunction({
  uses,
  operations: {
    listWebhooks,
    listWebhooksV1,
    listEvents,
    createWebhook,
    getWebhook,
    updateWebhook,
    updateWebhookV1,
    deleteWebhook,
    rotateWebhookSecret,
    testWebhook,
    listWebhookDeliveries,
    redeliverWebhookDelivery,
    replayWebhookDeliveries,
  },
  guards: writeGuards,
  deps: ({ tables, clients: { queues, dataKeys, roles }, addressRules, context }: WebhooksDependencies) => ({
    webhooks: createWebhookStore(tables.webhooks),
    deliveries: createDeliveryRequests(tables.webhooks),
    sendDrain: createSendDrain(createWaker(tables.webhooks, { queues, now: context.now }), context.logger),
    secrets: createWebhookSecrets(dataKeys, context.now),
    addressRules,
    roles,
    feed: createFeedStore(tables.outbox),
    onStop: createStopLog(context.logger),
  }),
});

/** The drain is asked for in the table already: without its message the schedule sends one, a minute later. */
const createSendDrain =
  (waker: Waker, log: Log): SendDrain =>
  async (webhook, drain) => {
    try {
      await waker.send(webhook, drain);
    } catch (error) {
      log.warn('The queue did not take a message; the schedule sends it.', {
        event: 'drain_not_sent',
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
