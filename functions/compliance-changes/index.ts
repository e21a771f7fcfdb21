import { Logger } from '@aws-lambda-powertools/logger';
import { createAssociationStore } from '../../shared/associations/store.ts';
import { createComplianceConfigs } from '../../shared/compliance/store.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createDownstreamEntities } from '../../shared/downstream-entities/store.ts';
import { createEventSteps } from '../../shared/events/outbox.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { createParkMessage } from '../../shared/queue/park.ts';
import { createSendMessages } from '../../shared/queue/send-messages.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { createRegistryRecords } from '../../shared/registry-records/store.ts';
import { type ChangeDeps, workOnChanges } from './changes.ts';
import { complianceChangesEnvironment } from './environment.ts';
import { complianceChangeMessage } from './messages.ts';
import { createChangeStore } from './store.ts';

const environment = readEnvironment(complianceChangesEnvironment);
const log = new Logger({ serviceName: 'compliance-changes', environment: environment.ENVIRONMENT });
const dynamo = createDynamoClient();
const sqs = createSqsClient();
const deps: ChangeDeps = {
  changes: createChangeStore(dynamo, {
    compliance: environment.COMPLIANCE_TABLE,
    agents: environment.AGENTS_TABLE,
    associations: environment.ASSOCIATIONS_TABLE,
  }),
  configs: createComplianceConfigs(dynamo, environment.COMPLIANCE_TABLE),
  registryRecords: createRegistryRecords(dynamo, environment.REGISTRY_RECORDS_TABLE),
  associations: createAssociationStore(dynamo, environment.ASSOCIATIONS_TABLE),
  downstreamEntities: createDownstreamEntities(dynamo, environment.DOWNSTREAM_ENTITIES_TABLE),
  events: createEventSteps(environment.OUTBOX_TABLE),
  send: createSendMessages(sqs, environment.COMPLIANCE_CHANGES_QUEUE_URL),
  now: () => new Date(),
};

export const handler = queueConsumer({
  schema: complianceChangeMessage,
  work: ({ message }) => workOnChanges(message, deps),
  park: createParkMessage(sqs, environment.DEAD_LETTER_QUEUE_URL),
  maxReceiveCount: environment.MAX_RECEIVE_COUNT,
  log,
});
