import { apiContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
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
