import { webhookView, webhookViewV1 } from '../../shared/domain/webhooks/stored.ts';
import { existing } from '../../shared/platform/contract/errors.ts';
import type { WebhookOperation } from './function.ts';
import { deliveriesWindowHours } from './routes.ts';

/** The caller's webhooks. */
export const listWebhooks: WebhookOperation<'listWebhooks'> = async function* ({ identity }, { webhooks }) {
  for await (const stored of webhooks.list(identity.organizationId)) yield stored.map(webhookView);
};

/** The caller's webhooks that have a URL. */
export const listWebhooksV1: WebhookOperation<'listWebhooksV1'> = async function* (
  { identity },
  { webhooks },
) {
  for await (const stored of webhooks.list(identity.organizationId)) {
    yield stored.flatMap((one) => webhookViewV1(one) ?? []);
  }
};

/** @throws ApiError `not_found` for an unknown, foreign or deleted webhook. */
export const getWebhook: WebhookOperation<'getWebhook'> = async ({ identity, params }, { webhooks }) =>
  webhookView(existing(await webhooks.find(identity.organizationId, params.webhookId)));

/**
 * A page of a webhook's deliveries, and since when; the webhook is looked for at the same time.
 * @throws ApiError `not_found` for an unknown, foreign or deleted webhook.
 */
export const listWebhookDeliveries: WebhookOperation<'listWebhookDeliveries'> = async (
  { identity, params, query, now },
  { webhooks },
) => {
  const windowStart = new Date(now.getTime() - deliveriesWindowHours * 3_600_000);
  const since = (query.since ?? windowStart).toISOString();
  const [webhook, deliveries] = await Promise.all([
    webhooks.find(identity.organizationId, params.webhookId),
    webhooks.deliveries(identity.organizationId, params.webhookId, since, query),
  ]);
  existing(webhook);
  return { ...deliveries, since };
};
