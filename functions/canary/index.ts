import { setTimeout as pause } from 'node:timers/promises';
import { started } from '../../shared/domain/variables.ts';
import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createCanaryFunction } from './function.ts';
import { uses } from './uses.ts';

const { values } = started(uses);

export const handler = createCanaryFunction({
  clients: { secrets: createSecretsClient() },
  secretArn: values.CANARY_SECRET_ARN,
  apiAddress: values.API_ADDRESS,
  pause,
  context: functionContext('canary', values),
});
