import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { surroundings } from '../../shared/request/surroundings.ts';
import { carriersEnvironment } from './environment.ts';
import { carrierOperations } from './operations.ts';
import { carrierRoutes } from './routes.ts';
import { createCarrierStore } from './store.ts';

const environment = readEnvironment(carriersEnvironment);
const here = surroundings('carriers', environment);

export const handler = lambdaHandler(
  createPipeline({
    ...here,
    group: carrierRoutes,
    operations: carrierOperations,
    deps: { carriers: createCarrierStore(createDynamoClient(), environment.CARRIERS_TABLE, Date.now) },
  }),
  here,
);
