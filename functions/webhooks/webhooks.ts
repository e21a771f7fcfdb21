import { randomBytes } from 'node:crypto';
import { type AddressRules, urlFault } from '../../shared/domain/webhooks/address.ts';
import type { Destination, WebhookWithSecret } from '../../shared/domain/webhooks/resource.ts';
import { secretOverlapHours } from '../../shared/domain/webhooks/resource.ts';
import type { RoleSessions } from '../../shared/domain/webhooks/role-sessions.ts';
import type { WebhookSecrets } from '../../shared/domain/webhooks/secrets.ts';
import { type StoredWebhook, webhookView, webhookViewV1 } from '../../shared/domain/webhooks/stored.ts';
import { existing, invalidAt } from '../../shared/platform/contract/errors.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import type { TransactionItem } from '../../shared/platform/data/transact.ts';
import type { Deps, WebhookOperation } from './function.ts';
import { deliveriesWindowHours } from './routes.ts';

/** A new signing secret: `whsec_` and 32 bytes in base64. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** @throws ApiError `validation_error` for a URL to which nothing may be delivered. */
function checkUrl(url: string, rules: AddressRules): void {
  const message = urlFault(url, rules);
  if (message !== undefined) throw invalidAt('url', message);
}

/**
 * The role may be assumed for this organization alone: by its id as the external id, not without one, and not by any other.
 * Otherwise another organization that names the same role would be sent to it (the confused deputy,
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html).
 *
 * @throws ApiError `validation_error`; SDK errors.
 */
async function checkRole({ roleArn }: Destination, organizationId: string, roles: RoleSessions) {
  const may = (externalId?: string): Promise<boolean> =>
    roles.assume(roleArn, externalId).then(
      () => true,
      (error: Error) => {
        if (error.name === 'AccessDenied') return false;
        throw error;
      },
    );
  const others = [undefined, newObjectId(new Date())];
  const [own, ...foreign] = await Promise.all([organizationId, ...others].map(may));
  const refuse = (message: string) => invalidAt('destination.roleArn', message);
  if (foreign.includes(true)) {
    throw refuse(
      `must be assumable only with the external id ${organizationId}: its trust policy does not demand it`,
    );
  }
  if (own !== true) throw refuse(`cannot be assumed with the external id ${organizationId}`);
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
export const createWebhook: WebhookOperation<'createWebhook'> = async (
  { identity, body, now, recordResponse },
  { webhooks, secrets, addressRules, roles },
) => {
  const { url = null, destination = null, types, filter = null } = body;
  if (url !== null) checkUrl(url, addressRules);
  if (destination !== null) await checkRole(destination, identity.organizationId, roles);
  const at = now.toISOString();
  const _id = newObjectId(now);
  const { secret, stored: storedSecret } = await newStoredSecret(_id, secrets);
  const stored = {
    _id,
    url,
    destination,
    types,
    filter,
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

/** A request to change a webhook, which is shown as its version of the API has it. */
type Update<Shown> = Omit<Parameters<WebhookOperation<'updateWebhook'>>[0], 'recordResponse'> & {
  readonly recordResponse: (shown: Shown) => readonly TransactionItem[];
};

/** Changes what is named of a webhook. A webhook that `view` does not show is not there. */
const updating =
  <Shown>(view: (stored: StoredWebhook) => Shown | undefined) =>
  async (
    { identity, params, body, now, recordResponse }: Update<Shown>,
    { webhooks, addressRules, roles, sendDrain }: Deps,
  ): Promise<Shown> => {
    if (body.url !== undefined) checkUrl(body.url, addressRules);
    const shown = (stored: StoredWebhook): Shown => existing(view(stored));
    const of = { owner: identity.organizationId, webhookId: params.webhookId };
    const disabled = body.isActive === true ? await webhooks.find(of.owner, of.webhookId) : undefined;
    if (disabled?.isActive === false && shown(disabled) && disabled.destination !== null) {
      await checkRole(disabled.destination, of.owner, roles);
    }
    const changed = await webhooks.change(
      of.owner,
      of.webhookId,
      (before) => {
        shown(before);
        if (body.url !== undefined && before.url === null) {
          throw invalidAt('url', 'cannot be set: the webhook has a destination');
        }
        return {
          ...before,
          url: body.url ?? before.url,
          types: body.types ?? before.types,
          filter: body.filter === undefined ? before.filter : body.filter,
          isActive: body.isActive ?? before.isActive,
          disabledReason: body.isActive === true ? null : before.disabledReason,
          updatedAt: now.toISOString(),
        };
      },
      (after) => recordResponse(shown(after)),
    );
    // What backed off because of failures, or was still due when it was disabled, need not wait for the schedule.
    if (body.isActive === true || body.url !== undefined) await sendDrain(of, undefined);
    return shown(changed);
  };

/**
 * Changes what is named of a webhook; never its secret (OpenAPI, "updateWebhook").
 * @throws ApiError `not_found`; `validation_error`.
 */
export const updateWebhook: WebhookOperation<'updateWebhook'> = updating(webhookView);

/** As `updateWebhook`. @throws ApiError `not_found` for a webhook with a destination, too. */
export const updateWebhookV1: WebhookOperation<'updateWebhookV1'> = updating(webhookViewV1);

/** @throws ApiError `not_found` for an unknown, foreign or deleted webhook. */
export const deleteWebhook: WebhookOperation<'deleteWebhook'> = async (
  { identity, params, now, recordResponse },
  { webhooks },
) => {
  const deleted = await webhooks.delete(identity.organizationId, params.webhookId, now, (before) =>
    recordResponse(webhookView(before)),
  );
  return webhookView(deleted);
};

/**
 * Gives a webhook a new secret and shows it; the one before goes on signing for a while.
 * @throws ApiError `not_found` for an unknown, foreign or deleted webhook.
 */
export const rotateWebhookSecret: WebhookOperation<'rotateWebhookSecret'> = async (
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
      previousSecretValidUntil: new Date(now.getTime() + secretOverlapHours * 3_600_000).toISOString(),
      updatedAt: now.toISOString(),
    }),
    (after) => recordResponse(withSecret(after, secret)),
  );
  return withSecret(rotated, secret);
};

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
