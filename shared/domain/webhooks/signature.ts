import { createHmac } from 'node:crypto';

/** What is signed: one attempt's body, and when it is sent. */
export interface Signed {
  readonly eventId: string;
  readonly body: string;
  readonly at: Date;
}

/** A webhook's decrypted secrets: the present one, and the one before until the overlap of a rotation ends. */
export interface Signer {
  readonly _id: string;
  readonly secret: string;
  readonly previousSecret?: string | undefined;
  readonly previousSecretValidUntil?: string | undefined;
}

const secretPrefix = 'whsec_';

/** Standard Webhooks keys its signature with the bytes that follow the prefix. */
const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64');

/** The secrets that sign at this time: the present one, then the one before while a rotation overlaps. */
function validSecrets(webhook: Signer, at: Date): string[] {
  const { secret, previousSecret, previousSecretValidUntil } = webhook;
  const overlaps =
    previousSecretValidUntil !== undefined && at.getTime() < Date.parse(previousSecretValidUntil);
  return previousSecret !== undefined && overlaps ? [secret, previousSecret] : [secret];
}

/**
 * The headers by which a receiver knows that a body is from this service and fresh; every attempt is signed anew
 * (OpenAPI, "Webhooks").
 */
export function signatureHeaders(webhook: Signer, { eventId, body, at }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const standard = validSecrets(webhook, at).map((secret) => {
    const hmac = createHmac('sha256', keyOf(secret)).update(`${eventId}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'X-Service-Signature': createHmac('sha256', webhook.secret).update(`${timestamp}.${body}`).digest('hex'),
    'X-Service-Timestamp': timestamp,
    'X-Service-Webhook-Id': webhook._id,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}
