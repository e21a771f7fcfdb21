import { started } from '../../shared/domain/variables.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { createCarriersFunction } from './function.ts';
import { uses } from './uses.ts';

const { tables, values } = started(uses);
const context = apiContext('carriers', values);

export const handler = lambdaHandler(
  createCarriersFunction({
    clients: { dynamo: createDynamoClient() },
    tables,
    context,
  }),
  context,
);
