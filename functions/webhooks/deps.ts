import type { ApiParts } from '../../shared/domain/api-function.ts';
import type { AddressRules } from '../../shared/domain/webhooks/address.ts';
import type { StoredDrain, WebhookReference } from '../../shared/domain/webhooks/drain-item.ts';
import type { DrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import type { RoleSessions } from '../../shared/domain/webhooks/role-sessions.ts';
import { createWebhookSecrets } from '../../shared/domain/webhooks/secrets.ts';
import { createWaker, type Waker } from '../../shared/domain/webhooks/wake.ts';
import type { DataKeys } from '../../shared/platform/crypto/data-keys.ts';
import { type Log, toError } from '../../shared/platform/log/log.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { createDeliveryRequests } from './delivery-requests.ts';
import { createFeedStore, type FeedStop } from './feed-store.ts';
import { createWebhookStore } from './store.ts';
import type { uses } from './uses.ts';

type WebhooksDependencies = ApiParts<
  typeof uses,
  { readonly queues: DrainQueues; readonly dataKeys: DataKeys; readonly roles: RoleSessions }
> & {
  /** Which addresses a webhook may point to. */
  readonly addressRules: AddressRules;
};

/** What the operations of webhooks work with. */
export const webhookDeps = ({
  tables,
  clients: { queues, dataKeys, roles },
  addressRules,
  context,
}: WebhooksDependencies) => ({
  webhooks: createWebhookStore(tables.webhooks),
  deliveries: createDeliveryRequests(tables.webhooks),
  sendDrain: createSendDrain(createWaker(tables.webhooks, { queues, now: context.now }), context.logger),
  secrets: createWebhookSecrets(dataKeys, context.now),
  addressRules,
  roles,
  feed: createFeedStore(tables.outbox),
  onStop: ({ owner: upstreamEntityId, ...stop }: FeedStop): void =>
    context.logger.error('Readers of a feed wait before a position whose event cannot be read.', {
      event: 'feed_stopped',
      upstreamEntityId,
      ...stop,
    }),
});

export type WebhookDeps = ReturnType<typeof webhookDeps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row. */
export type WebhookOperation<Id extends keyof Routes> = Operation<Routes[Id], WebhookDeps>;

/**
 * Sends the message for a drain that was asked for in the table. It does not fail: without its message the schedule sends
 * one, a minute later.
 */
const createSendDrain =
  (waker: Waker, log: Log) =>
  async (webhook: WebhookReference, drain: StoredDrain | undefined): Promise<void> => {
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
