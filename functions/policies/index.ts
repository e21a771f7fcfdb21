import { apiContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { policiesEnvironment } from './environment.ts';
import { createPoliciesFunction } from './function.ts';

const environment = readEnvironment(policiesEnvironment);
const context = apiContext('policies', environment);

export const handler = lambdaHandler(
  createPoliciesFunction({
    clients: { dynamo: createDynamoClient() },
    tables: {
      policies: environment.POLICIES_TABLE,
    },
    context,
  }),
  context,
);
