import type { DataKey, DataKeys } from '../../platform/crypto/data-keys.ts';
import { seal, unseal } from '../../platform/crypto/seal.ts';
import { expiringCache } from '../../platform/data/expiring-cache.ts';
import type { ProtectedSecret, StoredWebhook } from './stored.ts';

/** Encrypts and decrypts the signing secrets of webhooks. Both fail as KMS does. */
export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

/** How long an instance can still decrypt with a data key after the KMS key was disabled. */
const cachedMs = 60 * 60 * 1_000;

/** Each instance that creates webhooks has one data key. */
const cachedKeys = 1_000;

/** Asks KMS once for each instance that encrypts, and once an hour for each data key that an instance decrypts with. */
export function createWebhookSecrets(dataKeys: DataKeys, now: () => Date) {
  let own: Promise<DataKey> | undefined;
  const ownKey = (): Promise<DataKey> => {
    own ??= dataKeys.generate().catch((error: unknown) => {
      own = undefined;
      throw error;
    });
    return own;
  };

  const plainKeys = expiringCache({
    load: (encrypted) => dataKeys.decrypt(Buffer.from(encrypted, 'base64')),
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
      const { plain, encrypted } = await ownKey();
      return { dataKey: encrypted, sealed: seal(plain, Buffer.from(secret), webhookId) };
    },
    /** What signs the deliveries of a webhook now. */
    async reveal({
      _id,
      secret,
      previousSecret,
      previousSecretValidUntil,
    }: Pick<StoredWebhook, '_id' | 'secret' | 'previousSecret' | 'previousSecretValidUntil'>) {
      const isPreviousValid = now().toISOString() < (previousSecretValidUntil ?? '');
      const [current, previous] = await Promise.all([
        open(_id, secret),
        isPreviousValid && previousSecret ? open(_id, previousSecret) : undefined,
      ]);
      return { _id, secret: current, previousSecret: previous, previousSecretValidUntil };
    },
  };
}
