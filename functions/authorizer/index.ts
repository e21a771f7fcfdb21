import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { started } from '../../shared/domain/variables.ts';
import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { taskFile } from '../../shared/platform/config/task-file.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { accessMap } from '../../shared/platform/identity/access-map.ts';
import { createAuthorizerFunction } from './function.ts';
import { uses } from './uses.ts';

const { tables, values } = started(uses);

export const handler = createAuthorizerFunction({
  clients: { dynamo: createDynamoClient(), secrets: createSecretsClient() },
  tables,
  signingSecretArn: values.SIGNING_SECRET_ARN,
  accessMap: z.parse(accessMap, JSON.parse(readFileSync(taskFile('access-map.json'), 'utf8'))),
  context: functionContext('authorizer', values),
});
