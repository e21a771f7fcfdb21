import { eventFunction } from '#function/function.ts';
import { queueConsumer, queueContext } from '#platform/queue/consumer.ts';
import { createSendMessages, createSqsClient } from '#platform/queue/send.ts';
import { complianceChangeMessage, createChangeSources, workOnChanges } from './changes.ts';
import { uses } from './uses.ts';

/** Processes events that may have changed compliance, and emits the changes when their window is over. */
export const complianceChangesFunction = eventFunction({
  uses,
  resources: ({ values, queues }) => {
    const sqs = createSqsClient();
    return {
      queue: queueContext(sqs, values),
      send: createSendMessages(queues['compliance-changes'], sqs),
      sendOfImports: createSendMessages(queues['compliance-changes-imports'], sqs),
    };
  },
  compose(resources) {
    const sources = createChangeSources(resources);
    return queueConsumer({
      schema: complianceChangeMessage,
      work: ({ message }) => workOnChanges(message, sources),
      ...resources.queue,
      log: resources.context.logger,
    });
  },
});
