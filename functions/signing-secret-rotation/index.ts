import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { signingSecretRotationEnvironment } from './environment.ts';
import { createRotationFunction } from './function.ts';

const environment = readEnvironment(signingSecretRotationEnvironment);

export const handler = createRotationFunction({
  clients: { secrets: createSecretsClient() },
  context: functionContext('signing-secret-rotation', environment),
});
