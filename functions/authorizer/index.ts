import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { functionEntry } from '../../shared/domain/entry.ts';
import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { derivedFile, taskFile } from '../../shared/platform/config/task-file.ts';
import { accessMap } from '../../shared/platform/identity/access-map.ts';
import { createAuthorizerFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = functionEntry('authorizer', uses, (common, { values }) =>
  createAuthorizerFunction({
    ...common,
    clients: { secrets: createSecretsClient() },
    signingSecretArn: values.SIGNING_SECRET_ARN,
    accessMap: z.parse(
      accessMap,
      JSON.parse(readFileSync(taskFile(derivedFile('access-map', values.SANDBOX)), 'utf8')),
    ),
  }),
);
