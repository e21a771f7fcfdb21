import { started } from '../../shared/domain/variables.ts';
import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { taskFile } from '../../shared/platform/config/task-file.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { createAuthFunction } from './function.ts';
import { uses } from './uses.ts';

const { tables, values } = started(uses);
const context = apiContext('auth', values);

export const handler = lambdaHandler(
  createAuthFunction({
    clients: { dynamo: createDynamoClient(), secrets: createSecretsClient() },
    tables,
    signingSecretArn: values.SIGNING_SECRET_ARN,
    openApiDocument: taskFile('openapi.json'),
    supportUrl: values.SUPPORT_URL,
    context,
  }),
  context,
);
