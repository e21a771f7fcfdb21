import { started } from '../../shared/domain/variables.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { createPoliciesFunction } from './function.ts';
import { uses } from './uses.ts';

const { tables, values } = started(uses);
const context = apiContext('policies', values);

export const handler = lambdaHandler(
  createPoliciesFunction({
    clients: { dynamo: createDynamoClient() },
    tables,
    context,
  }),
  context,
);
