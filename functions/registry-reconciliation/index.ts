import { functionContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { npnHoldersTables } from '../../shared/npn-holders/environment.ts';
import { queueContext } from '../../shared/queue/context.ts';
import { createSendMessages } from '../../shared/queue/send-messages.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { createRegistry } from '../../shared/registry/create.ts';
import { registryReconciliationEnvironment } from './environment.ts';
import { createRegistryReconciliationFunction } from './function.ts';

const environment = readEnvironment(registryReconciliationEnvironment);
const context = functionContext('registry-reconciliation', environment);
const dynamo = createDynamoClient();
const sqs = createSqsClient();

export const handler = createRegistryReconciliationFunction({
  clients: {
    dynamo,
    registry: createRegistry(environment, { dynamo, now: context.now }),
    send: createSendMessages(sqs, environment.REGISTRY_RECONCILIATION_QUEUE_URL),
  },
  tables: {
    registryRecords: environment.REGISTRY_RECORDS_TABLE,
    ...npnHoldersTables(environment),
    outbox: environment.OUTBOX_TABLE,
  },
  queue: queueContext(sqs, environment),
  visitsPerSecond: environment.REGISTRY_VISITS_PER_SECOND,
  context,
});
