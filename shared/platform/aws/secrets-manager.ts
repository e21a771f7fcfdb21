import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientDefaults } from './client-defaults.ts';

/** The Secrets Manager client of a function. */
export const createSecretsClient = (): SecretsManagerClient =>
  new SecretsManagerClient(clientDefaults('secretsManager'));
