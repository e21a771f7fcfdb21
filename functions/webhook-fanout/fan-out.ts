import * as z from 'zod/mini';
import { anyEvent } from '../../shared/events/event.ts';
import type { Log } from '../../shared/log/log.ts';
import type { Delivery, MessageOutcome } from '../../shared/queue/consumer.ts';
import { newDelivery, type QueuedDelivery } from '../../shared/webhooks/deliveries.ts';
import type { DeliveryQueues } from '../../shared/webhooks/delivery-queues.ts';
import { isHealthy } from '../../shared/webhooks/health.ts';
import type { StoredWebhook } from '../../shared/webhooks/stored.ts';
import type { FanoutStore } from './store.ts';

/** What a rule of the bus puts into the queue; of the bus's own envelope only the detail matters. */
export const busMessage = z.object({ detail: z.extend(anyEvent, { entityId: z.string() }) });

export interface FanOutDeps {
  readonly store: FanoutStore;
  readonly queues: DeliveryQueues;
  readonly now: () => Date;
  readonly log: Log;
}

/** Nobody has tried it yet, so that its message may never have been sent. */
const isUntried = ({ status, attempt, attempts }: QueuedDelivery): boolean =>
  status === 'pending' && attempt === 1 && attempts.length === 0;

/**
 * Makes a delivery of an event for each of its owner's webhooks that ask for the type, and a message for each that is
 * active: a disabled one's are kept and can be replayed (OpenAPI, "Webhooks"). Doing it again adds nothing but messages
 * for deliveries without an attempt, since the time before may have crashed before it sent them.
 */
export async function fanOut(
  { message: { detail } }: Pick<Delivery<z.output<typeof busMessage>>, 'message'>,
  { store, queues, now, log }: FanOutDeps,
): Promise<MessageOutcome> {
  const { upstreamEntityId: owner, webhookType, eventId, entityId } = detail;
  const webhooks = (await store.webhooks(owner)).filter(({ types }) => types.includes(webhookType));
  const at = now();
  const [deliveries, healths] = await Promise.all([
    Promise.all(webhooks.map((webhook) => store.add(owner, newDelivery(detail, webhook, { entityId }, at)))),
    store.healths(owner, idsOf(webhooks)),
  ]);
  const active = new Set(idsOf(webhooks.filter(({ isActive }) => isActive)));
  const waiting = deliveries.filter((delivery) => active.has(delivery.webhookId) && isUntried(delivery));
  await queues.send(
    waiting.map(({ _id, webhookId, attempt }) => ({
      message: {
        upstreamEntityId: owner,
        webhookId,
        deliveryId: _id,
        attempt,
        lane: isHealthy(healths.get(webhookId) ?? {}) ? 'fast' : 'slow',
      },
      delaySeconds: 0,
    })),
  );
  log.info('webhook fan-out', {
    event: 'webhook_fanout',
    eventId,
    webhookType,
    upstreamEntityId: owner,
    webhooks: webhooks.length,
    sent: waiting.length,
  });
  return 'done';
}

const idsOf = (webhooks: readonly StoredWebhook[]): string[] => webhooks.map(({ _id }) => _id);
