import { functionContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { queueContext } from '../../shared/queue/context.ts';
import { createSendMessages } from '../../shared/queue/send-messages.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { createRegistry } from '../../shared/registry/create.ts';
import { regulatoryPassEnvironment } from './environment.ts';
import { createRegulatoryPassFunction } from './function.ts';

const environment = readEnvironment(regulatoryPassEnvironment);
const context = functionContext('regulatory-pass', environment);
const dynamo = createDynamoClient();
const sqs = createSqsClient();

export const handler = createRegulatoryPassFunction({
  clients: {
    dynamo,
    registry: createRegistry(environment, { dynamo, now: context.now }),
    send: createSendMessages(sqs, environment.REGULATORY_PASS_QUEUE_URL),
  },
  tables: {
    registryRecords: environment.REGISTRY_RECORDS_TABLE,
    agents: environment.AGENTS_TABLE,
    associations: environment.ASSOCIATIONS_TABLE,
    outbox: environment.OUTBOX_TABLE,
  },
  queue: queueContext(sqs, environment),
  context,
});
