import { functionContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { queueContext } from '../../shared/queue/context.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { createRegistry } from '../../shared/registry/create.ts';
import { registrySyncEnvironment } from './environment.ts';
import { createRegistrySyncFunction } from './function.ts';

const environment = readEnvironment(registrySyncEnvironment);
const context = functionContext('registry-sync', environment);
const dynamo = createDynamoClient();

export const handler = createRegistrySyncFunction({
  clients: { dynamo, registry: createRegistry(environment, { dynamo, now: context.now }) },
  tables: {
    registryRecords: environment.REGISTRY_RECORDS_TABLE,
    outbox: environment.OUTBOX_TABLE,
  },
  queue: queueContext(createSqsClient(), environment),
  context,
});
