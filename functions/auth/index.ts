import { apiEntry } from '../../shared/domain/api-entry.ts';
import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { derivedFile, taskFile } from '../../shared/platform/config/task-file.ts';
import { createAuthFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('auth', uses, ({ clients, ...common }, { values }) =>
  createAuthFunction({
    ...common,
    clients: { ...clients, secrets: createSecretsClient() },
    signingSecretArn: values.SIGNING_SECRET_ARN,
    openApiDocument: taskFile(derivedFile('openapi', values.SANDBOX)),
    supportUrl: values.SUPPORT_URL,
  }),
);
