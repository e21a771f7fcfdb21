import { createRegistry } from '../../shared/domain/registry/create.ts';
import { started } from '../../shared/domain/variables.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { createComplianceFunction } from './function.ts';
import { uses } from './uses.ts';

const { tables, values } = started(uses);
const context = apiContext('compliance', values);
const dynamo = createDynamoClient();

export const handler = lambdaHandler(
  createComplianceFunction({
    clients: { dynamo, registry: createRegistry(values, { dynamo, now: context.now }) },
    tables,
    context,
  }),
  context,
);
