import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { expiringCache } from '../../platform/data/expiring-cache.ts';

/** The key with which we authenticate at the registry. */
export interface RegistryKey {
  current(): Promise<string>;
  /** The registry refused the key: the next call reads it again, since an operator may have replaced it. */
  forget(): void;
}

/** How long a key is used before it is read again. */
const lifetimeMs = 300_000;

/** The registry's key from Secrets Manager, read when it is first needed. */
export function createRegistryKey(
  client: SecretsManagerClient,
  secretArn: string,
  now: () => number,
): RegistryKey {
  const keys = expiringCache({
    load: async (SecretId) => {
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
      if (SecretString === undefined) throw new Error('The registry’s secret has no string value.');
      return SecretString;
    },
    lifetimeMs,
    capacity: 1,
    now,
  });
  return { current: () => keys.get(secretArn), forget: () => keys.forget(secretArn) };
}
