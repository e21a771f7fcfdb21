import { Logger } from '@aws-lambda-powertools/logger';
import type { SecretsManagerRotationEvent } from 'aws-lambda';
import { createSecretsClient } from '../../shared/aws/secrets-manager.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { signingSecretRotationEnvironment } from './environment.ts';
import { rotate } from './rotate.ts';

const environment = readEnvironment(signingSecretRotationEnvironment);
const logger = new Logger({ serviceName: 'signing-secret-rotation', environment: environment.ENVIRONMENT });
const client = createSecretsClient();

/** Called by Secrets Manager once for each of the four steps of a rotation. */
export const handler = async (event: SecretsManagerRotationEvent): Promise<void> => {
  await rotate(event, client);
  logger.info('rotation step done', {
    event: 'rotation_step',
    step: event.Step,
    version: event.ClientRequestToken,
  });
};
