import { webhookView, webhookViewV1 } from '../../shared/domain/webhooks/stored.ts';
import { notFound } from '../../shared/platform/contract/errors.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { deliveriesWindowHours, type webhookRoutes } from './routes.ts';
import type { WebhookStore } from './store.ts';

type Routes = typeof webhookRoutes.routes;

interface Reading {
  readonly webhooks: WebhookStore;
}

/** The caller's webhooks. */
export const listWebhooks: Operation<Routes['listWebhooks'], Reading> = async function* (
  { identity },
  { webhooks },
) {
  for await (const stored of webhooks.list(identity.organizationId)) yield stored.map(webhookView);
};

/** The caller's webhooks that have a URL. */
export const listWebhooksV1: Operation<Routes['listWebhooksV1'], Reading> = async function* (
  { identity },
  { webhooks },
) {
  for await (const stored of webhooks.list(identity.organizationId)) {
    yield stored.flatMap((one) => webhookViewV1(one) ?? []);
  }
};

/** @throws ApiError `not_found` for an unknown, foreign or deleted webhook. */
export const getWebhook: Operation<Routes['getWebhook'], Reading> = async (
  { identity, params },
  { webhooks },
) => {
  const found = await webhooks.find(identity.organizationId, params.webhookId);
  if (found === undefined) throw notFound();
  return webhookView(found);
};

/**
 * A page of a webhook's deliveries, and since when; the webhook is looked for at the same time.
 * @throws ApiError `not_found` for an unknown, foreign or deleted webhook.
 */
export const listWebhookDeliveries: Operation<Routes['listWebhookDeliveries'], Reading> = async (
  { identity, params, query, now },
  { webhooks },
) => {
  const since = new Date(query.since ?? now.getTime() - deliveriesWindowHours * 3_600_000).toISOString();
  const [webhook, deliveries] = await Promise.all([
    webhooks.find(identity.organizationId, params.webhookId),
    webhooks.deliveries(identity.organizationId, params.webhookId, since, query),
  ]);
  if (webhook === undefined) throw notFound();
  return { ...deliveries, since };
};
