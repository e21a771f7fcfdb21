import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientDefaults } from '../aws/calls.ts';
import { expiringCache } from '../data/caches.ts';

/** The Secrets Manager client of a function. */
export const createSecretsClient = (): SecretsManagerClient =>
  new SecretsManagerClient(clientDefaults('secretsManager'));

/** A secret that is a text. */
export type SecretText = ReturnType<typeof createSecretText>;

/** Time for which the text is used before it is read again. */
const lifetimeMs = 300_000;

/** A text from Secrets Manager, read when it is first needed. */
export function createSecretText(secretArn: string, now: () => Date) {
  const client = createSecretsClient();
  const texts = expiringCache({
    load: async (SecretId) => {
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId }));
      if (SecretString === undefined) throw new Error(`The secret ${SecretId} has no string value.`);
      return SecretString;
    },
    lifetimeMs,
    capacity: 1,
    now: () => now().getTime(),
  });
  return {
    current: () => texts.get(secretArn),
    /** Drops a text that was refused: the next call reads it again, since an operator may have replaced it. */
    forget: () => texts.forget(secretArn),
  };
}
