import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

/** The Secrets Manager client of a function; its timeouts are those of DynamoDB's. */
export const createSecretsClient = (): SecretsManagerClient =>
  new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  });
