import { createHmac } from 'node:crypto';
import type { DataKeys } from '#platform/crypto/data-keys.ts';
import { seal, unseal } from '#platform/crypto/seal.ts';
import { expiringCache, readOnce } from '#platform/data/caches.ts';
import type { ProtectedSecret, StoredWebhook } from './stored.ts';

/** Encrypts and decrypts the signing secrets of webhooks. Both fail as KMS does. */
export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

/** Milliseconds for which an instance can still decrypt with a data key after the KMS key was disabled. */
const cachedMs = 60 * 60 * 1_000;

/** Each instance that creates webhooks has one data key. */
const cachedKeys = 1_000;

/** Asks KMS once for each instance that encrypts, and once an hour for each data key that an instance decrypts with. */
export function createWebhookSecrets(dataKeys: DataKeys, now: () => Date) {
  const ownKey = readOnce(() => dataKeys.generate());
  const plainKeys = expiringCache({
    load: (encryptedKey) => dataKeys.decrypt(Buffer.from(encryptedKey, 'base64')),
    lifetimeMs: cachedMs,
    capacity: cachedKeys,
    now: () => now().getTime(),
  });

  const open = async (webhookId: string, { dataKey, sealed }: ProtectedSecret): Promise<string> => {
    const key = await plainKeys.get(Buffer.from(dataKey).toString('base64'));
    return unseal(key, sealed, webhookId).toString('utf8');
  };

  return {
    /** Encrypts a secret; only the same webhook's item can be decrypted with it. */
    async protect(webhookId: string, secret: string): Promise<ProtectedSecret> {
      const { plain, encrypted: encryptedKey } = await ownKey();
      return { dataKey: encryptedKey, sealed: seal(plain, Buffer.from(secret), webhookId) };
    },
    /** The secrets that sign the deliveries of a webhook now. */
    async reveal({
      _id,
      secret,
      previousSecret,
      previousSecretValidUntil,
    }: Pick<
      StoredWebhook,
      '_id' | 'secret' | 'previousSecret' | 'previousSecretValidUntil'
    >): Promise<Signer> {
      const isPreviousValid = now().toISOString() < (previousSecretValidUntil ?? '');
      const [current, previousText] = await Promise.all([
        open(_id, secret),
        isPreviousValid && previousSecret ? open(_id, previousSecret) : undefined,
      ]);
      return { _id, secret: current, previousSecret: previousText };
    },
  };
}

/** Content of a signature: an attempt’s body, and when it is sent. */
interface SignedContent {
  readonly eventId: string;
  readonly body: string;
  readonly sentAt: Date;
}

/** A webhook's decrypted secrets: the present one, and the one before until the overlap of a rotation ends. */
export interface Signer {
  readonly _id: string;
  readonly secret: string;
  readonly previousSecret?: string | undefined;
}

const secretPrefix = 'whsec_';

/** Standard Webhooks keys its signature with the bytes that follow the prefix. */
const secretBytes = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64');

/**
 * The headers by which a receiver knows that a body is from this service and fresh; every attempt is signed anew
 * (OpenAPI, "Webhooks").
 */
export function signatureHeaders(
  webhook: Signer,
  { eventId, body, sentAt }: SignedContent,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  const { _id, secret, previousSecret } = webhook;
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  const standard = secrets.map((valid) => {
    const hmac = createHmac('sha256', secretBytes(valid)).update(`${eventId}.${timestamp}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'X-Service-Signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
    'X-Service-Timestamp': timestamp,
    'X-Service-Webhook-Id': _id,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}
