import { createInputEventSteps } from '../../shared/compliance/inputs-changed.ts';
import { createComplianceConfigs } from '../../shared/compliance/store.ts';
import { apiContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createRegistry } from '../../shared/registry/create.ts';
import { createRegistryRecords } from '../../shared/registry-records/store.ts';
import { createIdempotency } from '../../shared/request/idempotency.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { createRateLimiter } from '../../shared/request/rate-limit.ts';
import { complianceEnvironment } from './environment.ts';
import { complianceOperations } from './operations.ts';
import { complianceRoutes } from './routes.ts';
import { createConfigReplacement } from './store.ts';

const environment = readEnvironment(complianceEnvironment);
const context = apiContext('compliance', environment);
const dynamo = createDynamoClient();

export const handler = lambdaHandler(
  createPipeline({
    ...context,
    group: complianceRoutes,
    operations: complianceOperations,
    deps: {
      complianceConfigs: createComplianceConfigs(dynamo, environment.COMPLIANCE_TABLE),
      events: createInputEventSteps(environment.OUTBOX_TABLE),
      replaceConfig: createConfigReplacement(dynamo, environment.COMPLIANCE_TABLE),
      registryRecords: createRegistryRecords(dynamo, environment.REGISTRY_RECORDS_TABLE),
      registry: createRegistry(environment, { dynamo, now: context.now }),
    },
    rateLimiter: createRateLimiter(dynamo, environment.RATE_COUNTERS_TABLE),
    idempotency: createIdempotency(dynamo, environment.IDEMPOTENCY_TABLE),
  }),
  context,
);
