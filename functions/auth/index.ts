import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { taskFile } from '../../shared/platform/config/task-file.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { authEnvironment } from './environment.ts';
import { createAuthFunction } from './function.ts';

const environment = readEnvironment(authEnvironment);
const context = apiContext('auth', environment);

export const handler = lambdaHandler(
  createAuthFunction({
    clients: { dynamo: createDynamoClient(), secrets: createSecretsClient() },
    tables: {
      organizations: environment.ORGANIZATIONS_TABLE,
      rateCounters: environment.RATE_COUNTERS_TABLE,
    },
    signingSecretArn: environment.SIGNING_SECRET_ARN,
    openApiDocument: taskFile('openapi.json'),
    supportUrl: environment.SUPPORT_URL,
    context,
  }),
  context,
);
