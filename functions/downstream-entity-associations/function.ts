import { createAssociationEventItems } from '../../shared/domain/associations/events.ts';
import { createAssociationStore } from '../../shared/domain/associations/store.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import { createContactStore } from '../../shared/domain/contacts/store.ts';
import { createDownstreamEntities } from '../../shared/domain/downstream-entities/store.ts';
import { downstreamEntitiesTable } from '../../shared/domain/downstream-entities/table.ts';
import { createSignInTokens } from '../../shared/domain/one-time-links/sign-in-tokens.ts';
import { createOneTimeLinks } from '../../shared/domain/one-time-links/store.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { createRegistryRecords } from '../../shared/domain/registry-records/store.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { type FirstVisit, firstVisitItem } from '../../shared/domain/registry-records/visit-items.ts';
import type { SecretText } from '../../shared/platform/aws/secret-text.ts';
import { createChangesSince } from '../../shared/platform/changes/restored.ts';
import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import { createOrganizationStore } from '../../shared/platform/identity/organization-store.ts';
import type { SendMessages } from '../../shared/platform/queue/send-messages.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { createPoliciesOfAgency } from './agency-policies.ts';
import { downstreamEntityAssociationOperations } from './operations.ts';
import { downstreamEntityAssociationRoutes } from './routes.ts';
import { createSellersOf } from './sellers.ts';
import { createSendSyncJob } from './send-sync-job.ts';
import { createSynchronizationStore } from './synchronizations.ts';
import { createTemplateStore } from './templates.ts';
import type { uses } from './uses.ts';

type AssociationsDependencies = ApiDependencies<
  typeof uses,
  {
    /** What signs sign-in links. */
    readonly linkSecret: SecretText;
    /** Sends jobs to the registry-sync queue. */
    readonly sendToRegistrySync: SendMessages;
  }
> & {
  /** Address of the agencies' application, without a slash at its end. */
  readonly agencyAppUrl: string;
};

/** Serves the routes of a carrier's associations with agencies. */
export const createDownstreamEntityAssociationsFunction = ({
  clients: { dynamo, linkSecret, sendToRegistrySync },
  tables,
  agencyAppUrl,
  context,
}: AssociationsDependencies): Pipeline => {
  const recordedFacts = createRecordedFacts(dynamo, tables.registryRecords);
  return createPipeline({
    ...context,
    group: downstreamEntityAssociationRoutes,
    operations: downstreamEntityAssociationOperations,
    deps: {
      associations: createAssociationStore(dynamo, tables.associations),
      changesSince: createChangesSince(dynamo, [
        { name: tables.associations, design: associationsTable },
        { name: tables.downstreamEntities, design: downstreamEntitiesTable },
        { name: tables.registryRecords, design: registryRecordsTable },
      ]),
      clock: context.now,
      complianceConfigs: createComplianceConfigs(dynamo, tables.compliance),
      carrierIdentityOf: createCarrierIdentityOf(dynamo, tables.organizations),
      contacts: createContactStore(dynamo, tables.contacts),
      entities: createDownstreamEntities(dynamo, tables.downstreamEntities),
      events: createAssociationEventItems(tables.outbox),
      firstVisit: (visit: FirstVisit, now: Date) => firstVisitItem(tables.registryRecords, visit, now),
      oneTimeLinks: createOneTimeLinks(
        tables.oneTimeLinks,
        createSignInTokens(linkSecret.current),
        agencyAppUrl,
      ),
      organizations: createOrganizationStore(dynamo, tables.organizations),
      policiesOfAgency: createPoliciesOfAgency(dynamo, tables.policies),
      createSellersOf: createSellersOf(dynamo, tables.agents, recordedFacts),
      recordedFacts,
      registryRecords: createRegistryRecords(dynamo, tables.registryRecords),
      sendSyncJob: createSendSyncJob(sendToRegistrySync),
      synchronizations: createSynchronizationStore(dynamo, tables.registryRecords),
      templates: createTemplateStore(dynamo, tables.associations),
    },
    ...writeGuards(dynamo, tables),
  });
};
