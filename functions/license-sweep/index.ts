import { functionEntry } from '../../shared/domain/entry.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSendMessages } from '../../shared/platform/queue/send-messages.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createLicenseSweepFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = functionEntry('license-sweep', uses, ({ clients, ...common }, { queues, values }) => {
  const sqs = createSqsClient();
  const send = createSendMessages(sqs, queues['license-sweep']);
  return createLicenseSweepFunction({
    ...common,
    clients: { ...clients, send },
    queue: queueContext(sqs, values),
  });
});
