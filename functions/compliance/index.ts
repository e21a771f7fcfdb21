import { createRegistry } from '../../shared/domain/registry/create.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { complianceEnvironment } from './environment.ts';
import { createComplianceFunction } from './function.ts';

const environment = readEnvironment(complianceEnvironment);
const context = apiContext('compliance', environment);
const dynamo = createDynamoClient();

export const handler = lambdaHandler(
  createComplianceFunction({
    clients: { dynamo, registry: createRegistry(environment, { dynamo, now: context.now }) },
    tables: {
      compliance: environment.COMPLIANCE_TABLE,
      outbox: environment.OUTBOX_TABLE,
      registryRecords: environment.REGISTRY_RECORDS_TABLE,
      idempotency: environment.IDEMPOTENCY_TABLE,
      rateCounters: environment.RATE_COUNTERS_TABLE,
    },
    context,
  }),
  context,
);
