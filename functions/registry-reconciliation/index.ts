import { createRegistry } from '../../shared/domain/registry/create.ts';
import { started } from '../../shared/domain/variables.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSendMessages } from '../../shared/platform/queue/send-messages.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createRegistryReconciliationFunction } from './function.ts';
import { uses } from './uses.ts';

const { queues, tables, values } = started(uses);
const context = functionContext('registry-reconciliation', values);
const dynamo = createDynamoClient();
const sqs = createSqsClient();

export const handler = createRegistryReconciliationFunction({
  clients: {
    dynamo,
    registry: createRegistry(values, { dynamo, now: context.now }),
    send: createSendMessages(sqs, queues['registry-reconciliation']),
  },
  tables,
  queue: queueContext(sqs, values),
  visitsPerSecond: values.REGISTRY_VISITS_PER_SECOND,
  context,
});
