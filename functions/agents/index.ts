import { createComplianceConfigs } from '../../shared/compliance/store.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createRegistryRecords } from '../../shared/registry-records/store.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { surroundings } from '../../shared/request/surroundings.ts';
import { agentsEnvironment } from './environment.ts';
import { agentOperations } from './operations.ts';
import { agentRoutes } from './routes.ts';
import { createAgentStore } from './store.ts';

const environment = readEnvironment(agentsEnvironment);
const here = surroundings('agents', environment);
const dynamo = createDynamoClient();
const registryRecords = createRegistryRecords(dynamo, environment.REGISTRY_RECORDS_TABLE);

export const handler = lambdaHandler(
  createPipeline({
    ...here,
    group: agentRoutes,
    operations: agentOperations,
    deps: {
      agents: createAgentStore(dynamo, environment.AGENTS_TABLE, registryRecords),
      complianceConfigs: createComplianceConfigs(dynamo, environment.COMPLIANCE_TABLE),
      registryRecords,
    },
  }),
  here,
);
