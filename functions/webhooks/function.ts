import { apiFunctionWithDeps, type OperationWith } from '#domain/api-function.ts';
import type { Resources } from '#domain/function.ts';
import type { AddressRules } from '#domain/webhooks/address.ts';
import { createWaker, type StoredDrain, type Waker, type WebhookReference } from '#domain/webhooks/drain.ts';
import type { DrainQueues } from '#domain/webhooks/drain-queues.ts';
import { createWebhookSecrets } from '#domain/webhooks/secrets.ts';
import { importOnUse } from '#platform/contract/lazily.ts';
import type { DataKeys } from '#platform/crypto/data-keys.ts';
import { type Log, toError } from '#platform/log/log.ts';
import { writeServices } from '#platform/request/write-services.ts';
import * as deliveries from './deliver-again.ts';
import * as feed from './list-events.ts';
import { createDeliveryRequests, createFeedStore, createWebhookStore, type FeedStop } from './store.ts';
import { uses } from './uses.ts';
import * as webhooks from './webhooks.ts';

interface OwnResources {
  readonly queues: DrainQueues;
  readonly dataKeys: DataKeys;
  /** Rules of the addresses that a webhook may point to. */
  readonly addressRules: AddressRules;
}

/** Dependencies of the operations of webhooks. */
const deps = ({ tables, queues, dataKeys, addressRules, context }: Resources<typeof uses, OwnResources>) => ({
  webhooks: createWebhookStore(tables.webhooks),
  deliveries: createDeliveryRequests(tables.webhooks),
  sendDrain: createSendDrain(createWaker(tables.webhooks, { queues, now: context.now }), context.logger),
  secrets: createWebhookSecrets(dataKeys, context.now),
  addressRules,
  feed: createFeedStore(tables.outbox),
  onStop: ({ owner: upstreamEntityId, position }: FeedStop): void =>
    context.logger.error('Readers of a feed wait before a position that has no entry.', {
      event: 'feed_stopped',
      upstreamEntityId,
      position,
    }),
});

export type Deps = ReturnType<typeof deps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row. */
export type WebhookOperation<Id extends keyof Routes> = OperationWith<Routes[Id], Deps>;

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

/** Answers the routes of webhooks and their deliveries, and of the feed of events. */
export const webhooksFunction = apiFunctionWithDeps({
  uses,
  operations: { ...webhooks, ...deliveries, ...feed },
  deps,
  services: writeServices,
  resources: ({ values, queues }) => ({
    dataKeys: importOnUse(
      async () => {
        const { createDataKeys } = await import('#platform/crypto/data-keys.ts');
        return createDataKeys(values.WEBHOOK_KEY_ARN);
      },
      'generate',
      'decrypt',
    ),
    queues: importOnUse(async () => {
      const { createDrainQueues } = await import('#domain/webhooks/drain-queues.ts');
      return createDrainQueues(queues);
    }, 'send'),
    addressRules: { loopback: values.ALLOW_LOOPBACK_RECEIVERS === 'yes' },
  }),
});
