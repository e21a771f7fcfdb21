import {
  GetFunctionConfigurationCommand,
  GetFunctionUrlConfigCommand,
  type LambdaClient,
} from '@aws-sdk/client-lambda';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { type InvokeFunction, resultOf } from '../admin/functions.ts';
import { resourceName } from '../environments.ts';
import { setUpCanary } from './canary-setup.ts';
import { smokeTest } from './smoke.ts';

/** The canary of a deployed environment. */
export type Canary = ReturnType<typeof canaryOf>;

interface CanaryOptions {
  readonly environment: string;
  readonly lambda: LambdaClient;
  readonly secrets: SecretsManagerClient;
  readonly invoke: InvokeFunction;
}

/** What the set-up needs is read from what was deployed: the addresses, and the name of the secret. */
export const canaryOf = ({ environment, lambda, secrets, invoke }: CanaryOptions) => ({
  /** Makes what the canary lacks; see `setUpCanary`. */
  async setUp() {
    const [{ Environment: { Variables } = {} }, { FunctionUrl = '' }] = await Promise.all([
      lambda.send(new GetFunctionConfigurationCommand({ FunctionName: resourceName(environment, 'canary') })),
      lambda.send(
        new GetFunctionUrlConfigCommand({ FunctionName: resourceName(environment, 'canary-receiver') }),
      ),
    ]);
    const { API_ADDRESS, CANARY_SECRET_ARN } = z.parse(
      z.object({ API_ADDRESS: z.string(), CANARY_SECRET_ARN: z.string() }),
      Variables,
    );
    return setUpCanary({
      command: async (command, input) => resultOf(await invoke('admin', { command, input })),
      secrets,
      secretId: CANARY_SECRET_ARN,
      apiAddress: API_ADDRESS,
      receiverAddress: FunctionUrl,
    });
  },
  /** See `smokeTest`. */
  test: (say: (line: string) => void) => smokeTest(invoke, say),
});
