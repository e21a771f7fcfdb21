import { createSecretsClient } from '../../shared/aws/secrets-manager.ts';
import { apiContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { taskFile } from '../../shared/config/task-file.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
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
