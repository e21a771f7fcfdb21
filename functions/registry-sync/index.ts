import { createRegistry } from '../../shared/domain/registry/create.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
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
