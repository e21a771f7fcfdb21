import { createAssociationStore } from '../../shared/associations/store.ts';
import { createAssociationEventSteps } from '../../shared/associations/told.ts';
import { createComplianceConfigs } from '../../shared/compliance/store.ts';
import { apiContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createContactStore } from '../../shared/contacts/store.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createDownstreamEntities } from '../../shared/downstream-entities/store.ts';
import { createOrganizationStore } from '../../shared/identity/organization-store.ts';
import { createOneTimeLinks } from '../../shared/one-time-links/store.ts';
import { createSendMessages } from '../../shared/queue/send-messages.ts';
import { createSqsClient } from '../../shared/queue/sqs.ts';
import { createRegistryRecords } from '../../shared/registry-records/store.ts';
import { createIdempotency } from '../../shared/request/idempotency.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { createRateLimiter } from '../../shared/request/rate-limit.ts';
import { createPoliciesOfAgency } from './agency-policies.ts';
import { downstreamEntityAssociationsEnvironment } from './environment.ts';
import { downstreamEntityAssociationOperations } from './operations.ts';
import { downstreamEntityAssociationRoutes } from './routes.ts';
import { createSendSyncJob } from './send-sync-job.ts';
import { createSynchronizationStore } from './synchronizations.ts';
import { createTemplateStore } from './templates.ts';

const environment = readEnvironment(downstreamEntityAssociationsEnvironment);
const context = apiContext('downstream-entity-associations', environment);
const dynamo = createDynamoClient();

export const handler = lambdaHandler(
  createPipeline({
    ...context,
    group: downstreamEntityAssociationRoutes,
    operations: downstreamEntityAssociationOperations,
    deps: {
      associations: createAssociationStore(dynamo, environment.ASSOCIATIONS_TABLE),
      complianceConfigs: createComplianceConfigs(dynamo, environment.COMPLIANCE_TABLE),
      contacts: createContactStore(dynamo, environment.CONTACTS_TABLE),
      entities: createDownstreamEntities(dynamo, environment.DOWNSTREAM_ENTITIES_TABLE),
      events: createAssociationEventSteps(environment.OUTBOX_TABLE),
      oneTimeLinks: createOneTimeLinks(dynamo, environment.ONE_TIME_LINKS_TABLE, environment.AGENCY_APP_URL),
      organizations: createOrganizationStore(dynamo, environment.ORGANIZATIONS_TABLE),
      policiesOfAgency: createPoliciesOfAgency(dynamo, environment.POLICIES_TABLE),
      registryRecords: createRegistryRecords(dynamo, environment.REGISTRY_RECORDS_TABLE),
      sendSyncJob: createSendSyncJob(
        createSendMessages(createSqsClient(), environment.REGISTRY_SYNC_QUEUE_URL),
      ),
      synchronizations: createSynchronizationStore(dynamo, environment.REGISTRY_RECORDS_TABLE),
      templates: createTemplateStore(dynamo, environment.ASSOCIATIONS_TABLE),
    },
    rateLimiter: createRateLimiter(dynamo, environment.RATE_COUNTERS_TABLE),
    idempotency: createIdempotency(dynamo, environment.IDEMPOTENCY_TABLE),
  }),
  context,
);
