import { apiContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { agencyEnvironment } from './environment.ts';
import { createAgencyFunction } from './function.ts';

const environment = readEnvironment(agencyEnvironment);
const context = apiContext('agency', environment);

export const handler = lambdaHandler(
  createAgencyFunction({
    clients: { dynamo: createDynamoClient() },
    tables: {
      downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
      agents: environment.AGENTS_TABLE,
      associations: environment.ASSOCIATIONS_TABLE,
      organizations: environment.ORGANIZATIONS_TABLE,
      registryRecords: environment.REGISTRY_RECORDS_TABLE,
      compliance: environment.COMPLIANCE_TABLE,
      licensing: environment.LICENSING_TABLE,
      filings: environment.FILINGS_TABLE,
      idempotency: environment.IDEMPOTENCY_TABLE,
      rateCounters: environment.RATE_COUNTERS_TABLE,
    },
    context,
  }),
  context,
);
