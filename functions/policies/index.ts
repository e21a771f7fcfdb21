import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { surroundings } from '../../shared/request/surroundings.ts';
import { policiesEnvironment } from './environment.ts';
import { policyOperations } from './operations.ts';
import { policyRoutes } from './routes.ts';
import { createPolicyStore } from './store.ts';

const environment = readEnvironment(policiesEnvironment);
const here = surroundings('policies', environment);

export const handler = lambdaHandler(
  createPipeline({
    ...here,
    group: policyRoutes,
    operations: policyOperations,
    deps: { policies: createPolicyStore(createDynamoClient(), environment.POLICIES_TABLE) },
  }),
  here,
);
