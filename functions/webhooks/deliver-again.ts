import { ApiError, invalid, notFound } from '../../shared/contract/errors.ts';
import { retryOnConflict, VersionConflict } from '../../shared/data/optimistic-lock.ts';
import { exampleEvent } from '../../shared/events/example-event.ts';
import type { Operation } from '../../shared/request/operation.ts';
import {
  type DeliveryMessage,
  deliveryView,
  isTest,
  newDelivery,
  type QueuedDelivery,
} from '../../shared/webhooks/deliveries.ts';
import type { DeliveryQueues } from '../../shared/webhooks/delivery-queues.ts';
import type { Lane } from '../../shared/webhooks/health.ts';
import type { StoredWebhook } from '../../shared/webhooks/stored.ts';
import { type DeliveryRequests, toRedeliver } from './delivery-requests.ts';
import type { webhookRoutes } from './routes.ts';
import type { WebhookStore } from './store.ts';

type Routes = typeof webhookRoutes.routes;

interface Delivering {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryRequests;
  readonly queues: DeliveryQueues;
}

/** @throws ApiError `not_found`; `conflict` for a webhook that is disabled, to which nothing is delivered. */
function active(webhook: StoredWebhook | undefined): StoredWebhook {
  if (webhook === undefined) throw notFound();
  if (webhook.isActive) return webhook;
  throw new ApiError('conflict', { message: 'The webhook is disabled; set isActive to true first.' });
}

const messageOf = (owner: string, delivery: QueuedDelivery, lane: Lane): DeliveryMessage => ({
  upstreamEntityId: owner,
  webhookId: delivery.webhookId,
  deliveryId: delivery._id,
  attempt: delivery.attempt,
  lane,
});

/** Longer than a request can last. */
const safetySeconds = 60;

/**
 * Writes deliveries and has them made at once; answers those that were written. 202 means that the queue said yes: a
 * message for a minute later is in it before anything is written. A crash right after the writing costs that minute and
 * not the delivery, and a message of what was not written, or was made meanwhile, is dropped.
 *
 * @throws ApiError `service_unavailable` when the queue does not take the messages; nothing is written then.
 */
async function queued(
  queues: DeliveryQueues,
  messages: readonly DeliveryMessage[],
  write: () => Promise<ReadonlySet<string>>,
): Promise<ReadonlySet<string>> {
  try {
    await queues.send(messages.map((message) => ({ message, delaySeconds: safetySeconds })));
  } catch (error) {
    throw new ApiError('service_unavailable', { cause: error });
  }
  const written = await write();
  const now = messages.filter(({ deliveryId }) => written.has(deliveryId));
  try {
    await queues.send(now.map((message) => ({ message, delaySeconds: 0 })));
  } catch {
    // The queue has the messages of before: the deliveries are made, a minute later.
  }
  return written;
}

/**
 * Delivers an example of an event (OpenAPI, "testWebhook").
 * @throws ApiError `not_found`; `conflict` for a disabled webhook; `service_unavailable`.
 */
export const testWebhook: Operation<Routes['testWebhook'], Delivering> = async (
  { identity, params, body, now, recordResponse },
  { webhooks, deliveries, queues },
) => {
  const owner = identity.organizationId;
  const webhook = active(await webhooks.find(owner, params.webhookId));
  const webhookType = body.webhookType ?? webhook.types[0];
  if (webhookType === undefined) throw invalid({ path: 'webhookType', message: 'is required' });
  const event = exampleEvent(webhookType, owner, now);
  const delivery = newDelivery(event, webhook, { inline: event }, now);
  const view = deliveryView(delivery);
  await queued(queues, [messageOf(owner, delivery, 'fast')], async () => {
    await deliveries.add(owner, delivery, recordResponse(view));
    return new Set([delivery._id]);
  });
  return view;
};

/**
 * Delivers an event once more, by the whole schedule, whatever became of it before.
 * @throws ApiError `not_found` for a webhook or delivery that the caller does not have; `conflict` for a disabled webhook;
 *   `service_unavailable`; TransactionContention when others keep asking for the same delivery.
 */
export const redeliverWebhookDelivery: Operation<Routes['redeliverWebhookDelivery'], Delivering> = async (
  { identity, params, now, recordResponse },
  { deliveries, queues },
) => {
  const owner = identity.organizationId;
  return retryOnConflict(async () => {
    const { webhook, delivery } = await deliveries.find(owner, params.webhookId, params.deliveryId);
    if (delivery === undefined) throw notFound();
    active(webhook);
    const asked = toRedeliver(delivery, now);
    const view = deliveryView(asked);
    const written = await queued(queues, [messageOf(owner, asked, 'fast')], async () => {
      const isWritten = await deliveries.requestRedelivery(owner, asked, recordResponse(view));
      return new Set(isWritten ? [asked._id] : []);
    });
    if (written.size === 0) throw new VersionConflict();
    return view;
  });
};

/** Deliveries that one replay sets going, and those that it looks at for them: both are seconds of work. */
export const mostReplayed = 1_000;
const mostLookedAt = 5_000;

/**
 * Delivers the events of a time once more, oldest first. A crash in the middle leaves those before it on their way; the
 * same request again asks for them once more, as at-least-once delivery allows.
 * @throws ApiError `validation_error` for a time that ends before it starts; `not_found`; `conflict` for a disabled
 *   webhook; `service_unavailable`.
 */
export const replayWebhookDeliveries: Operation<Routes['replayWebhookDeliveries'], Delivering> = async (
  { identity, params, body, now, recordResponse },
  { webhooks, deliveries, queues },
) => {
  const owner = identity.organizationId;
  const [since, until] = [new Date(body.since), new Date(body.until)];
  if (since >= until) throw invalid({ path: 'until', message: 'must be after since' });
  active(await webhooks.find(owner, params.webhookId));

  const isWanted = ({ webhookType, status, event }: QueuedDelivery): boolean =>
    !isTest(event) &&
    (body.types === undefined || body.types.includes(webhookType)) &&
    (body.status === undefined || body.status === status);
  /** One that went on since it was read is under way already. */
  const ask = async (asked: readonly QueuedDelivery[]): Promise<number> => {
    const messages = asked.map((delivery) => messageOf(owner, delivery, 'slow'));
    const written = await queued(queues, messages, async () => {
      const answers = await Promise.all(
        asked.map((delivery) => deliveries.requestRedelivery(owner, delivery, [])),
      );
      return new Set(asked.filter((_, index) => answers[index]).map(({ _id }) => _id));
    });
    return written.size;
  };

  let lookedAt = 0;
  let wanted = 0;
  let count = 0;
  let nextSince: string | null = null;
  for await (const page of deliveries.madeBetween(owner, params.webhookId, since, until)) {
    const asked: QueuedDelivery[] = [];
    for (const delivery of page) {
      if (wanted === mostReplayed || lookedAt === mostLookedAt) {
        nextSince = delivery.createdAt;
        break;
      }
      lookedAt += 1;
      if (!isWanted(delivery)) continue;
      wanted += 1;
      asked.push(toRedeliver(delivery, now));
    }
    if (asked.length > 0) count += await ask(asked);
    if (nextSince !== null) break;
  }
  const answer = { queued: count, hasMore: nextSince !== null, nextSince };
  await deliveries.write(recordResponse(answer));
  return answer;
};
