import { setTimeout as pause } from 'node:timers/promises';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Started } from '../../shared/domain/start.ts';
import type { FunctionContext } from '../../shared/platform/config/context.ts';
import { createSecretsClient } from '../../shared/platform/config/secret-text.ts';
import { createCaller, readCredentials } from './caller.ts';
import { type CanaryResult, check } from './check.ts';
import { uses } from './uses.ts';

interface CanaryResources {
  readonly secrets: SecretsManagerClient;
  readonly secretArn: string;
  /** The API's public address. */
  readonly apiAddress: string;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly context: FunctionContext;
}

const compose =
  ({ secrets, secretArn, apiAddress, pause, context: { logger, now } }: CanaryResources) =>
  async (): Promise<CanaryResult & { readonly apiAddress: string }> => ({
    apiAddress,
    ...(await check({
      call: createCaller(apiAddress),
      readCredentials: () => readCredentials(secrets, secretArn),
      pause,
      now,
      logger,
    })),
  });

/**
 * Does what callers do, from outside, through the public address: invoked by a schedule every minute, and by the smoke
 * test. A failed check is a result and not an error of the function, which Lambda would repeat; the log tells the alarms.
 *
 * Lambda sees no chain of invocations from here to the receiver of the webhook: HTTP carries no trace, and the receiver
 * calls nothing.
 */
export const canaryFunction = {
  uses,
  compose,
  handler: ({ values, context }: Started<typeof uses>) =>
    compose({
      secrets: createSecretsClient(),
      secretArn: values.CANARY_SECRET_ARN,
      apiAddress: values.API_ADDRESS,
      pause,
      context,
    }),
};
