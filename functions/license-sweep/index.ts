import { functionContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { npnHoldersTables } from '../../shared/npn-holders/environment.ts';
import { queueContext } from '../../shared/queue/context.ts';
import { createSendMessages } from '../../shared/queue/send-messages.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { licenseSweepEnvironment } from './environment.ts';
import { createLicenseSweepFunction } from './function.ts';

const environment = readEnvironment(licenseSweepEnvironment);
const sqs = createSqsClient();

export const handler = createLicenseSweepFunction({
  clients: {
    dynamo: createDynamoClient(),
    send: createSendMessages(sqs, environment.LICENSE_SWEEP_QUEUE_URL),
  },
  tables: {
    registryRecords: environment.REGISTRY_RECORDS_TABLE,
    ...npnHoldersTables(environment),
    outbox: environment.OUTBOX_TABLE,
  },
  queue: queueContext(sqs, environment),
  context: functionContext('license-sweep', environment),
});
