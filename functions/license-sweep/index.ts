import { npnHoldersTables } from '../../shared/domain/npn-holders/environment.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSendMessages } from '../../shared/platform/queue/send-messages.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
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
