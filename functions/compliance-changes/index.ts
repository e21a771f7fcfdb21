import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSendMessages } from '../../shared/platform/queue/send-messages.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { complianceChangesEnvironment } from './environment.ts';
import { createComplianceChangesFunction } from './function.ts';

const environment = readEnvironment(complianceChangesEnvironment);
const sqs = createSqsClient();

export const handler = createComplianceChangesFunction({
  clients: {
    dynamo: createDynamoClient(),
    send: createSendMessages(sqs, environment.COMPLIANCE_CHANGES_QUEUE_URL),
  },
  tables: {
    compliance: environment.COMPLIANCE_TABLE,
    registryRecords: environment.REGISTRY_RECORDS_TABLE,
    agents: environment.AGENTS_TABLE,
    associations: environment.ASSOCIATIONS_TABLE,
    downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
    organizations: environment.ORGANIZATIONS_TABLE,
    outbox: environment.OUTBOX_TABLE,
  },
  queue: queueContext(sqs, environment),
  context: functionContext('compliance-changes', environment),
});
