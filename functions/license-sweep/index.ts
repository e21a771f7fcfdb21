import { started } from '../../shared/domain/variables.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSendMessages } from '../../shared/platform/queue/send-messages.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createLicenseSweepFunction } from './function.ts';
import { uses } from './uses.ts';

const { queues, tables, values } = started(uses);
const sqs = createSqsClient();

export const handler = createLicenseSweepFunction({
  clients: {
    dynamo: createDynamoClient(),
    send: createSendMessages(sqs, queues['license-sweep']),
  },
  tables,
  queue: queueContext(sqs, values),
  context: functionContext('license-sweep', values),
});
