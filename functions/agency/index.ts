import { createComplianceConfigs } from '../../shared/compliance/store.ts';
import { apiContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createOwnEntity } from '../../shared/downstream-entities/own-entity.ts';
import { createLicenseRequests } from '../../shared/licensing/requests.ts';
import { createRegistryRecords } from '../../shared/registry-records/store.ts';
import { createIdempotency } from '../../shared/request/idempotency.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { createRateLimiter } from '../../shared/request/rate-limit.ts';
import { agencyEnvironment } from './environment.ts';
import { createWaitingFilings } from './filings.ts';
import { agencyOperations } from './operations.ts';
import { createRegistryLists } from './registry-lists.ts';
import { agencyRoutes } from './routes.ts';
import { createAgencyStore } from './store.ts';

const environment = readEnvironment(agencyEnvironment);
const context = apiContext('agency', environment);
const dynamo = createDynamoClient();

export const handler = lambdaHandler(
  createPipeline({
    ...context,
    group: agencyRoutes,
    operations: agencyOperations,
    deps: {
      ownEntity: createOwnEntity(dynamo, environment.DOWNSTREAM_ENTITIES_TABLE),
      agency: createAgencyStore(dynamo, {
        downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
        agents: environment.AGENTS_TABLE,
        associations: environment.ASSOCIATIONS_TABLE,
        licensing: environment.LICENSING_TABLE,
      }),
      registry: createRegistryLists(dynamo, environment.REGISTRY_RECORDS_TABLE),
      records: createRegistryRecords(dynamo, environment.REGISTRY_RECORDS_TABLE),
      configs: createComplianceConfigs(dynamo, environment.COMPLIANCE_TABLE),
      requests: createLicenseRequests(dynamo, environment.LICENSING_TABLE),
      filings: createWaitingFilings(dynamo, environment.FILINGS_TABLE),
    },
    rateLimiter: createRateLimiter(dynamo, environment.RATE_COUNTERS_TABLE),
    idempotency: createIdempotency(dynamo, environment.IDEMPOTENCY_TABLE),
  }),
  context,
);
