import { GetFunctionUrlConfigCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type InvokeFunction, resultOf } from '../admin/functions.ts';
import {
  type DeployedEnvironmentName,
  type Environment,
  environments,
  resourceName,
} from '../environments.ts';
import { setUpCanary } from './set-up.ts';

interface Deployed {
  readonly environment: DeployedEnvironmentName;
  readonly invoke: InvokeFunction;
  /** The API's public address. */
  readonly apiAddress: string;
}

/** Sets up the canary of an environment in AWS, with the operator's own permissions; see `setUpCanary`. */
export async function setUpDeployed({ environment, invoke, apiAddress }: Deployed): Promise<'kept' | 'made'> {
  const { region }: Environment = environments[environment];
  const config = region === undefined ? {} : { region };
  const receiver = new GetFunctionUrlConfigCommand({
    FunctionName: resourceName(environment, 'canary-receiver'),
  });
  const { FunctionUrl = '' } = await new LambdaClient(config).send(receiver);
  return setUpCanary({
    command: async (command, input) => resultOf(await invoke('admin', { command, input })),
    secrets: new SecretsManagerClient(config),
    secretId: resourceName(environment, 'canary'),
    apiAddress,
    receiverAddress: FunctionUrl,
  });
}
