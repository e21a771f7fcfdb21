import * as z from 'zod/mini';
import { anyEvent } from '#domain/events/payloads.ts';
import { createWaker, dueEntryOf, type Waker, type WebhookReference } from '#domain/webhooks/drain.ts';
import { createDrainQueues } from '#domain/webhooks/drain-queues.ts';
import {
  deliveryItem,
  newDelivery,
  type QueuedDelivery,
  queuedDelivery,
  storedWebhook,
  webhookPartitions,
} from '#domain/webhooks/stored.ts';
import { eventFunction } from '#function/function.ts';
import { collect } from '#platform/data/concurrently.ts';
import type { Table } from '#platform/data/table.ts';
import type { Log } from '#platform/log/log.ts';
import { type Batch, batchConsumer, queueContext } from '#platform/queue/consumer.ts';
import { createSqsClient } from '#platform/queue/send.ts';
import { uses } from './uses.ts';

type FanoutStore = ReturnType<typeof createFanoutStore>;

export const createFanoutStore = (table: Table) => ({
  /** Every webhook of an owner, as it is now. */
  webhooks: (owner: string) =>
    collect(table.query(storedWebhook, webhookPartitions.webhooks(owner), { consistent: true })),

  /** Writes a delivery unless it is there already; answers the one that is there afterwards. */
  async add(owner: string, delivery: QueuedDelivery): Promise<QueuedDelivery> {
    return (await table.add(queuedDelivery, deliveryItem(owner, delivery))) ?? delivery;
  },

  /** Writes the due entries of deliveries, after these: an entry without its delivery is removed. */
  async addDue(owner: string, deliveries: readonly QueuedDelivery[]): Promise<void> {
    const entries = deliveries.flatMap((delivery) => dueEntryOf(owner, delivery) ?? []);
    await table.putAll(entries.map((entry) => ({ ...entry })));
  },
});

/** Message that a rule of the bus puts into the queue; of the bus’s own envelope only the detail matters. */
const busMessage = z.object({ detail: z.extend(anyEvent, { entityId: z.string() }) });

interface FanOutDeps {
  readonly store: FanoutStore;
  readonly waker: Waker;
  readonly now: () => Date;
  readonly log: Log;
}

/** Nobody has tried it yet, so that its due entry may never have been written. */
const isUntried = ({ nextAttemptAt, attempt }: QueuedDelivery): boolean =>
  attempt === 1 && nextAttemptAt !== null;

/**
 * Makes a delivery of each event for each of its owner's webhooks that ask for the type, with a due entry if the webhook is
 * active: a disabled one's are kept and can be replayed (OpenAPI, "Webhooks"). At the end of a batch each webhook with a due
 * entry is woken once. Doing it again adds nothing but due entries for deliveries without an attempt, since the time before
 * may have crashed before it wrote them.
 */
export function fanOut({ store, waker, now, log }: FanOutDeps): Batch<typeof busMessage> {
  const woken = new Map<string, WebhookReference>();
  return {
    async work({ message: { detail } }) {
      const { upstreamEntityId: owner, webhookType, eventId, entityId, sequence } = detail;
      const webhooks = (await store.webhooks(owner)).filter(({ types }) => types.includes(webhookType));
      const createdAt = now();
      const deliveries = await Promise.all(
        webhooks.map((webhook) =>
          store.add(owner, newDelivery(detail, webhook, { entityId, sequence }, createdAt)),
        ),
      );
      const dueDeliveries = deliveries.filter(isUntried);
      await store.addDue(owner, dueDeliveries);
      for (const { webhookId } of dueDeliveries) woken.set(webhookId, { owner, webhookId });
      log.info('webhook fan-out', {
        event: 'webhook_fanout',
        eventId,
        webhookType,
        upstreamEntityId: owner,
        webhooks: webhooks.length,
        due: dueDeliveries.length,
      });
      return 'done';
    },

    async finish() {
      await waker.wake(Array.from(woken.values()));
    },
  };
}

/** Works on the events of the bus: one delivery for each webhook that asks for one. */
export const webhookFanoutFunction = eventFunction({
  uses,
  resources: ({ values, queues }) => {
    const sqs = createSqsClient();
    return { queue: queueContext(sqs, values), queues: createDrainQueues(queues, sqs) };
  },
  compose({ queues, tables, queue, context: { logger: log, now } }) {
    const deps: FanOutDeps = {
      store: createFanoutStore(tables.webhooks),
      waker: createWaker(tables.webhooks, { queues, now }),
      now,
      log,
    };
    return batchConsumer({ schema: busMessage, batch: () => fanOut(deps), ...queue, log });
  },
});
