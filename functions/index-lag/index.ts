import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { indexLagEnvironment } from './environment.ts';
import { createIndexLagFunction } from './function.ts';

const environment = readEnvironment(indexLagEnvironment);

export const handler = createIndexLagFunction({
  clients: { dynamo: createDynamoClient() },
  tables: {
    agents: environment.AGENTS_TABLE,
    associations: environment.ASSOCIATIONS_TABLE,
    downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
    policies: environment.POLICIES_TABLE,
    registryRecords: environment.REGISTRY_RECORDS_TABLE,
  },
  context: functionContext('index-lag', environment),
});
