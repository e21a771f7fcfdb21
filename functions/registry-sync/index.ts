import { createRegistry } from '../../shared/domain/registry/create.ts';
import { started } from '../../shared/domain/variables.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createRegistrySyncFunction } from './function.ts';
import { uses } from './uses.ts';

const { tables, values } = started(uses);
const context = functionContext('registry-sync', values);
const dynamo = createDynamoClient();

export const handler = createRegistrySyncFunction({
  clients: { dynamo, registry: createRegistry(values, { dynamo, now: context.now }) },
  tables,
  queue: queueContext(createSqsClient(), values),
  context,
});
