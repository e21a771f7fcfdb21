import { setTimeout as pause } from 'node:timers/promises';
import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { canaryEnvironment } from './environment.ts';
import { createCanaryFunction } from './function.ts';

const environment = readEnvironment(canaryEnvironment);

export const handler = createCanaryFunction({
  clients: { secrets: createSecretsClient() },
  secretArn: environment.CANARY_SECRET_ARN,
  apiAddress: environment.API_ADDRESS,
  pause,
  context: functionContext('canary', environment),
});
