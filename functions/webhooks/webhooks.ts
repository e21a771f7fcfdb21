import { randomBytes } from 'node:crypto';
import { type AddressRules, urlFault } from '#domain/webhooks/address.ts';
import type { Waker } from '#domain/webhooks/drain.ts';
import { secretOverlapHours, type WebhookWithSecret } from '#domain/webhooks/resource.ts';
import type { WebhookSecrets } from '#domain/webhooks/secrets.ts';
import { type StoredWebhook, webhookView } from '#domain/webhooks/stored.ts';
import { existing, invalidAt } from '#platform/contract/errors.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { operationsOf } from '#platform/request/endpoint.ts';
import { deliveriesWindowHours, webhookRoutes } from './routes.ts';
import type { WebhookStore } from './store.ts';

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
      const { url, types } = body;
      checkUrl(url, addressRules);
      const time = now.toISOString();
      const _id = newObjectId(now);
      const { secret, storedFields } = await newStoredSecret(_id, secrets);
      const webhook = {
        _id,
        url,
        types,
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
          url: body.url ?? before.url,
          types: body.types ?? before.types,
          isActive: body.isActive ?? before.isActive,
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
