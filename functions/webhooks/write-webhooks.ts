import { type AddressRules, urlFault } from '../../shared/domain/webhooks/address.ts';
import type { WebhookWithSecret } from '../../shared/domain/webhooks/resource.ts';
import type { WebhookSecrets } from '../../shared/domain/webhooks/secrets.ts';
import { type StoredWebhook, webhookView } from '../../shared/domain/webhooks/stored.ts';
import { invalid } from '../../shared/platform/contract/errors.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { SendDrain } from './deliver-again.ts';
import type { webhookRoutes } from './routes.ts';
import { newSecret } from './secret.ts';
import type { WebhookStore } from './store.ts';

type Routes = typeof webhookRoutes.routes;

/** What writing needs: the store, what encrypts secrets, and what receivers' addresses may be. */
interface Writing {
  readonly webhooks: WebhookStore;
  readonly secrets: WebhookSecrets;
  readonly addressRules: AddressRules;
  readonly sendDrain: SendDrain;
}

/** @throws ApiError `validation_error` for a URL to which nothing may be delivered. */
function checkUrl(url: string, rules: AddressRules): void {
  const message = urlFault(url, rules);
  if (message !== undefined) throw invalid({ path: 'url', message });
}

const withSecret = (stored: StoredWebhook, secret: string): WebhookWithSecret => ({
  ...webhookView(stored),
  secret,
});

/** A new secret: as it is shown once, and as it is stored. */
async function newStoredSecret(webhookId: string, secrets: WebhookSecrets) {
  const secret = newSecret();
  const stored = { secret: await secrets.protect(webhookId, secret), secretLastFour: secret.slice(-4) };
  return { secret, stored };
}

/**
 * Registers a webhook and shows its secret.
 * @throws ApiError `validation_error`; `conflict` when the organization has as many as it may have.
 */
export const createWebhook: Operation<Routes['createWebhook'], Writing> = async (
  { identity, body, now, recordResponse },
  { webhooks, secrets, addressRules },
) => {
  checkUrl(body.url, addressRules);
  const at = now.toISOString();
  const _id = newObjectId(now);
  const { secret, stored: storedSecret } = await newStoredSecret(_id, secrets);
  const stored = {
    _id,
    ...body,
    isActive: true,
    disabledReason: null,
    ...storedSecret,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  await webhooks.create(identity.organizationId, stored, (created) =>
    recordResponse(withSecret(created, secret)),
  );
  return withSecret(stored, secret);
};

/**
 * Changes what is named of a webhook; never its secret (OpenAPI, "updateWebhook").
 * @throws ApiError `not_found`; `validation_error`.
 */
export const updateWebhook: Operation<Routes['updateWebhook'] | Routes['updateWebhookV1'], Writing> = async (
  { identity, params, body, now, recordResponse },
  { webhooks, addressRules, sendDrain },
) => {
  if (body.url !== undefined) checkUrl(body.url, addressRules);
  const of = { owner: identity.organizationId, webhookId: params.webhookId };
  const changed = await webhooks.change(
    of.owner,
    of.webhookId,
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
  // What rested because of failures, or was still due when it was disabled, need not wait for the schedule.
  if (body.isActive === true || body.url !== undefined) await sendDrain(of, undefined);
  return webhookView(changed);
};

/** @throws ApiError `not_found` for an unknown, foreign or deleted webhook. */
export const deleteWebhook: Operation<Routes['deleteWebhook'], Writing> = async (
  { identity, params, now, recordResponse },
  { webhooks },
) => {
  const deleted = await webhooks.delete(identity.organizationId, params.webhookId, now, (before) =>
    recordResponse(webhookView(before)),
  );
  return webhookView(deleted);
};

/** How long the secret before a rotation still signs (OpenAPI, "rotateWebhookSecret"). */
const overlap = 24 * 60 * 60 * 1_000;

/**
 * Gives a webhook a new secret and shows it; the one before goes on signing for a day.
 * @throws ApiError `not_found` for an unknown, foreign or deleted webhook.
 */
export const rotateWebhookSecret: Operation<Routes['rotateWebhookSecret'], Writing> = async (
  { identity, params, now, recordResponse },
  { webhooks, secrets },
) => {
  const { secret, stored } = await newStoredSecret(params.webhookId, secrets);
  const rotated = await webhooks.change(
    identity.organizationId,
    params.webhookId,
    (before) => ({
      ...before,
      ...stored,
      previousSecret: before.secret,
      previousSecretValidUntil: new Date(now.getTime() + overlap).toISOString(),
      updatedAt: now.toISOString(),
    }),
    (after) => recordResponse(withSecret(after, secret)),
  );
  return withSecret(rotated, secret);
};
