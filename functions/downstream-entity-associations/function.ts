import { apiFunctionWithDeps, type OperationWith } from '#domain/api-function.ts';
import { createAssociationEventItems } from '#domain/associations/events.ts';
import { createAssociationStore } from '#domain/associations/store.ts';
import { createCarrierCatalog } from '#domain/carriers/catalog.ts';
import { createClassKindsOf } from '#domain/compliance/class-kinds.ts';
import { createCarrierIdentityOf, createComplianceConfigs } from '#domain/compliance/store.ts';
import { createContactStore } from '#domain/contacts/store.ts';
import { createDownstreamEntities } from '#domain/downstream-entities/stored.ts';
import type { Resources } from '#domain/function.ts';
import { createOneTimeLinks, createSignInTokens } from '#domain/one-time-links/store.ts';
import { createPoliciesByAgency } from '#domain/policy-compliance/statuses.ts';
import { createQuestionBudget } from '#domain/registry-records/question-budget.ts';
import type { SyncJob } from '#domain/registry-records/resources.ts';
import { createRecordedHolders, createRegistryRecords } from '#domain/registry-records/store.ts';
import { type FirstPoll, firstPollItem } from '#domain/registry-records/subscriptions.ts';
import { createUnlessRestored } from '#platform/changes/restored.ts';
import type { SecretText } from '#platform/config/secret-text.ts';
import { importOnUse } from '#platform/contract/lazily.ts';
import { createOrganizationStore } from '#platform/identity/organizations.ts';
import type { SendMessages } from '#platform/queue/send.ts';
import { writeServices } from '#platform/request/write-services.ts';
import * as complianceStatuses from './compliance-statuses.ts';
import * as reads from './list-associations.ts';
import { createSynchronizationStore, createTemplateStore } from './store.ts';
import * as synchronization from './sync-association.ts';
import { uses } from './uses.ts';
import * as writes from './write-associations.ts';

interface OwnResources {
  /** Secret that signs sign-in links. */
  readonly linkSecret: Pick<SecretText, 'current'>;
  /** Sends jobs to the registry-sync queue. */
  readonly sendToRegistrySync: SendMessages;
  /** Address of the agencies' application, without a slash at its end. */
  readonly agencyAppUrl: string;
  /** NPNs about which an organization may have the registry asked in a day. */
  readonly questionsADay: number;
}

/** Stores that the operations of associations work with. */
const deps = ({
  tables,
  linkSecret,
  sendToRegistrySync,
  agencyAppUrl,
  questionsADay,
  context,
}: Resources<typeof uses, OwnResources>) => ({
  associations: createAssociationStore(tables.associations),
  unlessRestored: createUnlessRestored([
    tables.associations,
    tables.downstreamEntities,
    tables.registryRecords,
  ]),
  clock: context.now,
  complianceConfigs: createComplianceConfigs(tables.compliance),
  carriers: createCarrierCatalog(tables.carriers, context.now),
  carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
  classKindsOf: createClassKindsOf(tables.compliance),
  contacts: createContactStore(tables.contacts),
  entities: createDownstreamEntities(tables.downstreamEntities),
  events: createAssociationEventItems(tables.outbox.items),
  /** The item that queues the first poll of an agency's NPN. */
  firstPoll: (poll: FirstPoll, now: Date, dueAt: Date | undefined) =>
    firstPollItem(tables.registryRecords.items, poll, now, dueAt),
  oneTimeLinks: createOneTimeLinks(
    tables.oneTimeLinks.items,
    createSignInTokens(linkSecret.current),
    agencyAppUrl,
  ),
  organizations: createOrganizationStore(tables.organizations),
  policies: createPoliciesByAgency(tables.policies),
  questionBudget: createQuestionBudget(tables.rateCounters, questionsADay, context),
  recordedHolders: createRecordedHolders(tables.registryRecords),
  registryRecords: createRegistryRecords(tables.registryRecords),
  /** Resolves when the queue has the job. */
  sendSyncJob: (job: SyncJob) => sendToRegistrySync([job]),
  synchronizations: createSynchronizationStore(tables.registryRecords),
  tables,
  templates: createTemplateStore(tables.associations),
});

export type Deps = ReturnType<typeof deps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row, or of rows that share it. */
export type AssociationOperation<Id extends keyof Routes> = OperationWith<Routes[Id], Deps>;

/** Serves the routes of a carrier's associations with agencies. */
export const downstreamEntityAssociationsFunction = apiFunctionWithDeps({
  uses,
  operations: {
    ...reads,
    ...writes,
    ...synchronization,
    ...complianceStatuses,
  },
  deps,
  services: writeServices,
  resources: ({ values, queues, context }) => ({
    linkSecret: importOnUse(async () => {
      const { createSecretText } = await import('#platform/config/secret-text.ts');
      return createSecretText(values.LINK_SECRET_ARN, context.now);
    }, 'current'),
    ...importOnUse(async () => {
      const { createSendMessages } = await import('#platform/queue/send.ts');
      return { sendToRegistrySync: createSendMessages(queues['registry-sync']) };
    }, 'sendToRegistrySync'),
    agencyAppUrl: values.AGENCY_APP_URL,
    questionsADay: values.REGISTRY_QUESTIONS_A_DAY,
  }),
});
