import { apiContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { agentsEnvironment } from './environment.ts';
import { createAgentsFunction } from './function.ts';

const environment = readEnvironment(agentsEnvironment);
const context = apiContext('agents', environment);

export const handler = lambdaHandler(
  createAgentsFunction({
    clients: { dynamo: createDynamoClient() },
    tables: {
      agents: environment.AGENTS_TABLE,
      compliance: environment.COMPLIANCE_TABLE,
      organizations: environment.ORGANIZATIONS_TABLE,
      registryRecords: environment.REGISTRY_RECORDS_TABLE,
    },
    context,
  }),
  context,
);
