import { apiContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { createSendMessages } from '../../shared/platform/queue/send-messages.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { downstreamEntityAssociationsEnvironment } from './environment.ts';
import { createDownstreamEntityAssociationsFunction } from './function.ts';

const environment = readEnvironment(downstreamEntityAssociationsEnvironment);
const context = apiContext('downstream-entity-associations', environment);

export const handler = lambdaHandler(
  createDownstreamEntityAssociationsFunction({
    clients: {
      dynamo: createDynamoClient(),
      sendToRegistrySync: createSendMessages(createSqsClient(), environment.REGISTRY_SYNC_QUEUE_URL),
    },
    tables: {
      associations: environment.ASSOCIATIONS_TABLE,
      compliance: environment.COMPLIANCE_TABLE,
      contacts: environment.CONTACTS_TABLE,
      downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
      oneTimeLinks: environment.ONE_TIME_LINKS_TABLE,
      organizations: environment.ORGANIZATIONS_TABLE,
      outbox: environment.OUTBOX_TABLE,
      policies: environment.POLICIES_TABLE,
      registryRecords: environment.REGISTRY_RECORDS_TABLE,
      idempotency: environment.IDEMPOTENCY_TABLE,
      rateCounters: environment.RATE_COUNTERS_TABLE,
    },
    agencyAppUrl: environment.AGENCY_APP_URL,
    context,
  }),
  context,
);
