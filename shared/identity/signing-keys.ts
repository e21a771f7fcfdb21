import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { expiringCache } from '../data/expiring-cache.ts';

/** A version of the signing secret; `id` travels in a token's `kid` header. */
export interface SigningKey {
  readonly id: string;
  readonly secret: Uint8Array;
}

/** The valid versions of the signing secret: the current one signs, both verify. */
export interface SigningKeys {
  current(): Promise<SigningKey>;
  /** The version named by a token's `kid`, or undefined when it is neither the current nor the previous one. */
  find(id: string): Promise<SigningKey | undefined>;
}

const lifetimeMs = 60_000;

/** A token with an unknown version causes another read of the secret, at most once in this time. */
const refreshAtMostEveryMs = 1_000;

/**
 * Signing keys from Secrets Manager, cached for a minute. A rotation makes the current version the previous one, so
 * a token signed just before it still verifies for the rest of its hour.
 */
export function createSigningKeys(options: {
  readonly client: SecretsManagerClient;
  readonly secretArn: string;
  readonly now: () => number;
}): SigningKeys {
  const read = async (stage: 'AWSCURRENT' | 'AWSPREVIOUS'): Promise<SigningKey | undefined> => {
    try {
      const value = await options.client.send(
        new GetSecretValueCommand({ SecretId: options.secretArn, VersionStage: stage }),
      );
      if (value.VersionId === undefined || value.SecretString === undefined) return undefined;
      return { id: value.VersionId, secret: new TextEncoder().encode(value.SecretString) };
    } catch (error) {
      // Before the first rotation there is no previous version.
      if (stage === 'AWSPREVIOUS' && error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  };

  let readAt = Number.NEGATIVE_INFINITY;
  const versions = expiringCache({
    load: async () => {
      readAt = options.now();
      const [current, previous] = await Promise.all([read('AWSCURRENT'), read('AWSPREVIOUS')]);
      if (current === undefined) throw new Error('The signing secret has no current version.');
      return { current, previous };
    },
    lifetimeMs,
    capacity: 1,
    now: options.now,
  });

  const lookUp = async (id: string): Promise<SigningKey | undefined> => {
    const { current, previous } = await versions.get('versions');
    return [current, previous].find((key) => key?.id === id);
  };

  return {
    current: async () => (await versions.get('versions')).current,
    async find(id) {
      const known = await lookUp(id);
      if (known !== undefined || options.now() - readAt < refreshAtMostEveryMs) return known;
      versions.forget('versions');
      return lookUp(id);
    },
  };
}
