import { apiContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
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
