import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { FunctionStart } from '#function/start.ts';
import type { FunctionContext } from '#platform/config/context.ts';
import { createSecretsClient } from '#platform/config/secret-text.ts';
import { type CanaryResult, check } from './check.ts';
import { uses } from './uses.ts';

interface CanaryResources {
  readonly secrets: SecretsManagerClient;
  readonly secretArn: string;
  /** The API's public address. */
  readonly apiAddress: string;
  readonly context: Pick<FunctionContext, 'logger'>;
}

const compose =
  ({ secrets, secretArn, apiAddress, context: { logger } }: CanaryResources) =>
  async (): Promise<CanaryResult & { readonly apiAddress: string }> => {
    // Read for each run: the smoke test may just have stored a client.
    const secret = new GetSecretValueCommand({ SecretId: secretArn });
    const readSecret = async (): Promise<string> => (await secrets.send(secret)).SecretString ?? '';
    return { apiAddress, ...(await check({ apiAddress, readSecret, logger })) };
  };

/**
 * Calls the API from outside, through the public address: invoked by a schedule every minute, and by the smoke test. A failed
 * check is a result and not an error of the function, which Lambda would repeat; the log tells the alarms.
 */
export const canaryFunction = {
  uses,
  compose,
  handler: ({ values, context }: FunctionStart<typeof uses>) =>
    compose({
      secrets: createSecretsClient(),
      secretArn: values.CANARY_SECRET_ARN,
      apiAddress: values.API_ADDRESS,
      context,
    }),
};
