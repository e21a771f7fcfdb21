import { reportDeps } from '#domain/compliance-changes/report.ts';
import { eventFunction, type Resources } from '#function/function.ts';
import { type QueueContext, queueConsumer, queueContext } from '#platform/queue/consumer.ts';
import { createSendMessages, createSqsClient, type SendMessages } from '#platform/queue/send.ts';
import { complianceChangeMessage, createNpnsOf, workOnChanges } from './changes.ts';
import { uses } from './uses.ts';

interface OwnResources {
  readonly queue: QueueContext;
  /** Sends to its own queue. */
  readonly send: SendMessages;
  /** Sends to its queue of what follows from imports. */
  readonly sendOfImports: SendMessages;
}

const depsOf = ({ tables, send, sendOfImports, context: { now } }: Resources<typeof uses, OwnResources>) => ({
  ...reportDeps(tables, now),
  npnsOf: createNpnsOf(tables),
  /** Sends to the queue to which a message belongs. */
  sendAs: (isImported: true | undefined): SendMessages => (isImported === true ? sendOfImports : send),
});

/** Dependencies of work on changes. */
export type Deps = ReturnType<typeof depsOf>;

/** Processes events that may have changed compliance, and emits the changes when their window is over. */
export const complianceChangesFunction = eventFunction({
  uses,
  compose(resources: Resources<typeof uses, OwnResources>) {
    const deps = depsOf(resources);
    return queueConsumer({
      schema: complianceChangeMessage,
      work: ({ message }) => workOnChanges(message, deps),
      ...resources.queue,
      log: resources.context.logger,
    });
  },
  resources: ({ values, queues }) => {
    const sqs = createSqsClient();
    return {
      queue: queueContext(sqs, values),
      send: createSendMessages(queues['compliance-changes'], sqs),
      sendOfImports: createSendMessages(queues['compliance-changes-imports'], sqs),
    };
  },
});
