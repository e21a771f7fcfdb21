import { functionEntry } from '../../shared/domain/entry.ts';
import { createRegistry } from '../../shared/domain/registry/create.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSendMessages } from '../../shared/platform/queue/send-messages.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createRegistryReconciliationFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = functionEntry(
  'registry-reconciliation',
  uses,
  ({ clients: { dynamo }, ...common }, { queues, values }) => {
    const sqs = createSqsClient();
    return createRegistryReconciliationFunction({
      ...common,
      clients: {
        dynamo,
        registry: createRegistry(values, { dynamo, now: common.context.now }),
        send: createSendMessages(sqs, queues['registry-reconciliation']),
      },
      queue: queueContext(sqs, values),
      pollsPerSecond: values.REGISTRY_POLLS_PER_SECOND,
    });
  },
);
