import { apiContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { carriersEnvironment } from './environment.ts';
import { createCarriersFunction } from './function.ts';

const environment = readEnvironment(carriersEnvironment);
const context = apiContext('carriers', environment);

export const handler = lambdaHandler(
  createCarriersFunction({
    clients: { dynamo: createDynamoClient() },
    tables: {
      carriers: environment.CARRIERS_TABLE,
    },
    context,
  }),
  context,
);
