import { npnHoldersTables } from '../../shared/domain/npn-holders/environment.ts';
import { createRegistry } from '../../shared/domain/registry/create.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSendMessages } from '../../shared/platform/queue/send-messages.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
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
