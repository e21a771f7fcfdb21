import { createWaker, type Waker } from '#domain/webhooks/drain.ts';
import { createWebhookSecrets } from '#domain/webhooks/secrets.ts';
import { apiFunction } from '#function/api-function.ts';
import { importOnUse } from '#platform/contract/lazily.ts';
import { type Log, toError } from '#platform/log/log.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { createListEvents } from './list-events.ts';
import { deliveryOperations, webhookOperations } from './operations.ts';
import { createDeliveryRequests, createFeedStore, createWebhookStore } from './store.ts';
import { uses } from './uses.ts';

/**
 * Sends the message for a drain that was asked for in the table. It does not fail: without its message the schedule sends
 * one, a minute later.
 */
const createSendDrain =
  (waker: Waker, log: Log): Waker['send'] =>
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

/** Answers the routes of webhooks and their deliveries, and of the feed of events. */
export const webhooksFunction = apiFunction({
  uses,
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
    /** Rules of the addresses that a webhook may point to. */
    addressRules: { loopback: values.ALLOW_LOOPBACK_RECEIVERS === 'yes' },
  }),
  operations: ({ tables, queues, dataKeys, addressRules, context }) => {
    const waker = createWaker(tables.webhooks, { queues, now: context.now });
    const sendDrain = createSendDrain(waker, context.logger);
    return {
      ...webhookOperations(
        createWebhookStore(tables.webhooks),
        createWebhookSecrets(dataKeys, context.now),
        addressRules,
        sendDrain,
      ),
      ...deliveryOperations(createDeliveryRequests(tables.webhooks), sendDrain),
      listEvents: createListEvents(createFeedStore(tables.outbox), ({ owner: upstreamEntityId, position }) =>
        context.logger.error('Readers of a feed wait before a position that has no entry.', {
          event: 'feed_stopped',
          upstreamEntityId,
          position,
        }),
      ),
    };
  },
  services: writeServices,
});
