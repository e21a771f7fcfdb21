import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { taskFile } from '../../shared/platform/config/task-file.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { accessMap } from '../../shared/platform/identity/access-map.ts';
import { authorizerEnvironment } from './environment.ts';
import { createAuthorizerFunction } from './function.ts';

const environment = readEnvironment(authorizerEnvironment);

export const handler = createAuthorizerFunction({
  clients: { dynamo: createDynamoClient(), secrets: createSecretsClient() },
  tables: { organizations: environment.ORGANIZATIONS_TABLE },
  signingSecretArn: environment.SIGNING_SECRET_ARN,
  accessMap: z.parse(accessMap, JSON.parse(readFileSync(taskFile('access-map.json'), 'utf8'))),
  context: functionContext('authorizer', environment),
});
