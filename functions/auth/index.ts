import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { createSecretsClient } from '../../shared/aws/secrets-manager.ts';
import { apiContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { taskFile } from '../../shared/config/task-file.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createAccessTokens } from '../../shared/identity/access-token.ts';
import { createOrganizationStore } from '../../shared/identity/organization-store.ts';
import { createSigningKeys } from '../../shared/identity/signing-keys.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { createRateLimiter } from '../../shared/request/rate-limit.ts';
import { authEnvironment } from './environment.ts';
import { authOperations } from './operations.ts';
import { authRoutes } from './routes.ts';

const environment = readEnvironment(authEnvironment);
const context = apiContext('auth', environment);
const dynamo = createDynamoClient();
const keys = createSigningKeys({
  client: createSecretsClient(),
  secretArn: environment.SIGNING_SECRET_ARN,
  now: Date.now,
});

const openApiDocument = taskFile('openapi.json');
const readOpenApiDocument = async () =>
  z.parse(z.record(z.string(), z.unknown()), JSON.parse(await readFile(openApiDocument, 'utf8')));

export const handler = lambdaHandler(
  createPipeline({
    ...context,
    group: authRoutes,
    operations: authOperations,
    deps: {
      readOpenApiDocument,
      organizations: createOrganizationStore(dynamo, environment.ORGANIZATIONS_TABLE),
      accessTokens: createAccessTokens({ keys, environment: environment.ENVIRONMENT, now: Date.now }),
    },
    rateLimiter: createRateLimiter(dynamo, environment.RATE_COUNTERS_TABLE),
  }),
  context,
);
