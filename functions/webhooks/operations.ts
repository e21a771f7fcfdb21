import { randomBytes } from 'node:crypto';
import { exampleEvent } from '#domain/events/example-payloads.ts';
import { type AddressRules, urlFault } from '#domain/webhooks/address.ts';
import type { Waker, WebhookReference } from '#domain/webhooks/drain.ts';
import { secretOverlapHours, type WebhookWithSecret } from '#domain/webhooks/resource.ts';
import type { WebhookSecrets } from '#domain/webhooks/secrets.ts';
import {
  deliveryView,
  isTest,
  newDelivery,
  type QueuedDelivery,
  type StoredWebhook,
  webhookView,
} from '#domain/webhooks/stored.ts';
import { ApiError, existing, invalidAt } from '#platform/contract/errors.ts';
import { chunks } from '#platform/data/concurrently.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { retryOnConflict, VersionConflict } from '#platform/data/transact.ts';
import { operationsOf } from '#platform/request/endpoint.ts';
import { deliveriesWindowHours, webhookRoutes } from './routes.ts';
import { type DeliveryRequests, mostAskedAtOnce, toRedeliver, type WebhookStore } from './store.ts';

/** A new signing secret: `whsec_` and 32 bytes in base64. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** @throws ApiError `validation_error` for a URL to which nothing may be delivered. */
function checkUrl(url: string, rules: AddressRules): void {
  const message = urlFault(url, rules);
  if (message !== undefined) throw invalidAt('url', message);
}

const withSecret = (webhook: StoredWebhook, secret: string): WebhookWithSecret => ({
  ...webhookView(webhook),
  secret,
});

/** A new secret: as it is shown once, and as it is stored. */
async function newStoredSecret(webhookId: string, secrets: WebhookSecrets) {
  const secret = newSecret();
  const storedFields = { secret: await secrets.protect(webhookId, secret), secretLastFour: secret.slice(-4) };
  return { secret, storedFields };
}

/** Operations on webhooks. */
export const webhookOperations = operationsOf(
  webhookRoutes,
  (
    webhooks: WebhookStore,
    secrets: WebhookSecrets,
    addressRules: AddressRules,
    sendDrain: Waker['send'],
  ) => ({
    /**
     * Registers a webhook and shows its secret.
     * @throws ApiError `validation_error`; `conflict` when the organization has as many as it may have.
     */
    async createWebhook({ identity, body, now, recordResponse }) {
      checkUrl(body.url, addressRules);
      const time = now.toISOString();
      const _id = newObjectId(now);
      const { secret, storedFields } = await newStoredSecret(_id, secrets);
      const webhook = {
        _id,
        ...body,
        isActive: true,
        disabledReason: null,
        ...storedFields,
        version: 1,
        createdAt: time,
        updatedAt: time,
      };
      const answer = withSecret(webhook, secret);
      await webhooks.create(identity.organizationId, webhook, () => recordResponse(answer));
      return answer;
    },

    /**
     * Changes what is named of a webhook; never its secret (OpenAPI, "updateWebhook").
     * @throws ApiError `not_found`; `validation_error`.
     */
    async updateWebhook({ identity, params, body, now, recordResponse }) {
      if (body.url !== undefined) checkUrl(body.url, addressRules);
      const reference = { owner: identity.organizationId, webhookId: params.webhookId };
      const webhook = await webhooks.change(
        reference.owner,
        reference.webhookId,
        (before) => ({
          ...before,
          ...body,
          disabledReason: body.isActive === true ? null : before.disabledReason,
          updatedAt: now.toISOString(),
        }),
        (after) => recordResponse(webhookView(after)),
      );
      // What backed off because of failures, or was still due when it was disabled, need not wait for the schedule.
      if (body.isActive === true || body.url !== undefined) await sendDrain(reference, undefined);
      return webhookView(webhook);
    },

    /** @throws ApiError `not_found` for an unknown, foreign or deleted webhook. */
    async deleteWebhook({ identity, params, now, recordResponse }) {
      const webhook = await webhooks.delete(identity.organizationId, params.webhookId, now, (before) =>
        recordResponse(webhookView(before)),
      );
      return webhookView(webhook);
    },

    /**
     * Gives a webhook a new secret and shows it; the one before goes on signing for a while.
     * @throws ApiError `not_found` for an unknown, foreign or deleted webhook.
     */
    async rotateWebhookSecret({ identity, params, now, recordResponse }) {
      const { secret, storedFields } = await newStoredSecret(params.webhookId, secrets);
      const webhook = await webhooks.change(
        identity.organizationId,
        params.webhookId,
        (before) => ({
          ...before,
          ...storedFields,
          previousSecret: before.secret,
          previousSecretValidUntil: new Date(now.getTime() + secretOverlapHours * 3_600_000).toISOString(),
          updatedAt: now.toISOString(),
        }),
        (after) => recordResponse(withSecret(after, secret)),
      );
      return withSecret(webhook, secret);
    },

    /** The caller's webhooks. */
    async *listWebhooks({ identity }) {
      for await (const page of webhooks.list(identity.organizationId)) yield page.map(webhookView);
    },

    /** @throws ApiError `not_found` for an unknown, foreign or deleted webhook. */
    async getWebhook({ identity, params }) {
      return webhookView(existing(await webhooks.find(identity.organizationId, params.webhookId)));
    },

    /**
     * A page of a webhook's deliveries, and since when; the webhook is looked for at the same time.
     * @throws ApiError `not_found` for an unknown, foreign or deleted webhook.
     */
    async listWebhookDeliveries({ identity, params, query, now }) {
      const windowStart = new Date(now.getTime() - deliveriesWindowHours * 3_600_000);
      const since = (query.since ?? windowStart).toISOString();
      const [webhook, deliveries] = await Promise.all([
        webhooks.find(identity.organizationId, params.webhookId),
        webhooks.deliveries(identity.organizationId, params.webhookId, since, query),
      ]);
      existing(webhook);
      return { ...deliveries, since };
    },
  }),
);

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
