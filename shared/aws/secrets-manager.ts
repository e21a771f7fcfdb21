import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** The Secrets Manager client of a function, with the timeouts of the DynamoDB client. */
export const createSecretsClient = (): SecretsManagerClient =>
  new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });
