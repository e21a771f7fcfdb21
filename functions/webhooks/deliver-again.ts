import { exampleEvent } from '#domain/events/example-payloads.ts';
import type { Waker, WebhookReference } from '#domain/webhooks/drain.ts';
import {
  deliveryView,
  isTest,
  newDelivery,
  type QueuedDelivery,
  type StoredWebhook,
} from '#domain/webhooks/stored.ts';
import { ApiError, existing, invalidAt } from '#platform/contract/errors.ts';
import { chunks } from '#platform/data/chunks.ts';
import { retryOnConflict, VersionConflict } from '#platform/data/transact.ts';
import { operationsOf } from '#platform/request/endpoint.ts';
import { webhookRoutes } from './routes.ts';
import { type DeliveryRequests, mostAskedAtOnce, toRedeliver } from './store.ts';

/** @throws ApiError `not_found`; `conflict` for a webhook that is disabled, to which nothing is delivered. */
function active(candidate: StoredWebhook | undefined): StoredWebhook {
  const webhook = existing(candidate);
  if (webhook.isActive) return webhook;
  throw new ApiError('conflict', { message: 'The webhook is disabled; set isActive to true first.' });
}

/** Deliveries that one replay sets going, and those that it reads for them: both are seconds of work. */
export const mostReplayed = 1_000;
const mostLookedAt = 5_000;

/** Asks for deliveries; answers of how many. A delivery that went on since it was read is under way already. */
async function ask(
  reference: WebhookReference,
  redeliveries: readonly QueuedDelivery[],
  deliveries: DeliveryRequests,
): Promise<number> {
  if (await deliveries.requestRedelivery(reference, redeliveries, [])) return redeliveries.length;
  let count = 0;
  for (const redelivery of redeliveries)
    if (await deliveries.requestRedelivery(reference, [redelivery], [])) count += 1;
  return count;
}

/** Operations that deliver an example, or an event once more. */
export const deliveryOperations = operationsOf(
  webhookRoutes,
  (deliveries: DeliveryRequests, sendDrain: Waker['send']) => ({
    /**
     * Delivers an example of an event (OpenAPI, "testWebhook").
     * @throws ApiError `not_found`; `conflict` for a disabled webhook.
     */
    async testWebhook({ identity, params: { webhookId }, body, now, recordResponse }) {
      const owner = identity.organizationId;
      const { webhook: candidate, drain } = await deliveries.find(owner, webhookId);
      const webhook = active(candidate);
      const webhookType = body.webhookType ?? webhook.types[0];
      if (webhookType === undefined) throw invalidAt('webhookType', 'is required');
      const event = exampleEvent(webhookType, owner, now);
      const delivery = newDelivery(event, webhook, { inline: event }, now);
      const view = deliveryView(delivery);
      await deliveries.add(owner, delivery, recordResponse(view));
      await sendDrain({ owner, webhookId }, drain);
      return view;
    },

    /**
     * Delivers an event once more, by the whole schedule, whatever became of it before.
     * @throws ApiError `not_found` for a webhook or delivery that the caller does not have; `conflict` for a disabled webhook;
     *   TransactionContention when others keep asking for the same delivery.
     */
    async redeliverWebhookDelivery({ identity, params: { webhookId, deliveryId }, now, recordResponse }) {
      const reference = { owner: identity.organizationId, webhookId };
      return retryOnConflict(async () => {
        const { webhook, drain, delivery } = await deliveries.find(reference.owner, webhookId, deliveryId);
        const redelivery = toRedeliver(existing(delivery), now);
        active(webhook);
        const view = deliveryView(redelivery);
        if (!(await deliveries.requestRedelivery(reference, [redelivery], recordResponse(view))))
          throw new VersionConflict();
        await sendDrain(reference, drain);
        return view;
      });
    },

    /**
     * Delivers the events of a time once more, oldest first. A crash in the middle leaves those before it on their way; the
     * same request again asks for them once more, as at-least-once delivery allows.
     * @throws ApiError `validation_error` for a time that ends before it starts; `not_found`; `conflict` for a disabled webhook.
     */
    async replayWebhook({ identity, params: { webhookId }, body, now, recordResponse }) {
      const reference = { owner: identity.organizationId, webhookId };
      const { since, until, types, status: wantedStatus } = body;
      if (since >= until) throw invalidAt('until', 'must be after since');
      const { webhook, drain } = await deliveries.find(reference.owner, webhookId);
      active(webhook);

      const isWanted = ({ webhookType, status, event }: QueuedDelivery): boolean =>
        !isTest(event) &&
        (types === undefined || types.includes(webhookType)) &&
        (wantedStatus === undefined || wantedStatus === status);

      let readCount = 0;
      let wantedCount = 0;
      let count = 0;
      let nextSince: string | null = null;
      for await (const page of deliveries.madeBetween(reference.owner, webhookId, since, until)) {
        const redeliveries: QueuedDelivery[] = [];
        for (const delivery of page) {
          if (wantedCount === mostReplayed || readCount === mostLookedAt) {
            nextSince = delivery.createdAt;
            break;
          }
          readCount += 1;
          if (!isWanted(delivery)) continue;
          wantedCount += 1;
          redeliveries.push(toRedeliver(delivery, now));
        }
        for (const batch of chunks(redeliveries, { count: mostAskedAtOnce }))
          count += await ask(reference, batch, deliveries);
        if (nextSince !== null) break;
      }
      const answer = { queued: count, hasMore: nextSince !== null, nextSince };
      await deliveries.write(recordResponse(answer));
      if (count > 0) await sendDrain(reference, drain);
      return answer;
    },
  }),
);
