import { type ApiParts, apiFunction } from '../../shared/domain/api-function.ts';
import { createAssociationEventItems } from '../../shared/domain/associations/events.ts';
import { createAssociationStore } from '../../shared/domain/associations/store.ts';
import { createCarrierIdentityOf } from '../../shared/domain/compliance/carrier-identity.ts';
import { createComplianceConfigs } from '../../shared/domain/compliance/store.ts';
import { createContactStore } from '../../shared/domain/contacts/store.ts';
import { createDownstreamEntities } from '../../shared/domain/downstream-entities/store.ts';
import { createSignInTokens } from '../../shared/domain/one-time-links/sign-in-tokens.ts';
import { createOneTimeLinks } from '../../shared/domain/one-time-links/store.ts';
import { createPoliciesByAgency } from '../../shared/domain/policy-compliance/policies.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { type FirstPoll, firstPollItem } from '../../shared/domain/registry-records/poll-items.ts';
import { createRegistryRecords } from '../../shared/domain/registry-records/store.ts';
import type { SecretText } from '../../shared/platform/aws/secret-text.ts';
import { createChangesSince } from '../../shared/platform/changes/restored.ts';
import { createOrganizationStore } from '../../shared/platform/identity/organization-store.ts';
import type { SendMessages } from '../../shared/platform/queue/send-messages.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { listLicenseComplianceStatuses, listPolicyComplianceStatuses } from './compliance-statuses.ts';
import { addAssociation, inviteAssociation } from './create-association.ts';
import { getAssociation } from './get-association.ts';
import { listAssociations, listAssociationsV1 } from './list-associations.ts';
import { listAppointments, listLicenses, listRegulatoryActions } from './list-registry-records.ts';
import { createSendSyncJob, syncAssociation } from './sync-association.ts';
import { createSynchronizationStore } from './synchronizations.ts';
import { createTemplateStore, listTemplates } from './templates.ts';
import { getSignInUrl, updateAssociation } from './update-association.ts';
import { uses } from './uses.ts';

type AssociationsDependencies = ApiParts<
  typeof uses,
  {
    /** What signs sign-in links. */
    readonly linkSecret: Pick<SecretText, 'current'>;
    /** Sends jobs to the registry-sync queue. */
    readonly sendToRegistrySync: SendMessages;
  }
> & {
  /** Address of the agencies' application, without a slash at its end. */
  readonly agencyAppUrl: string;
};

/** Serves the routes of a carrier's associations with agencies. */
export const createDownstreamEntityAssociationsFunction = apiFunction({
  uses,
  operations: {
    listAssociations,
    getAssociation,
    updateAssociation,
    addAssociation,
    inviteAssociation,
    syncAssociation,
    listAssociationAppointments: listAppointments,
    listAssociationLicenses: listLicenses,
    listAssociationRegulatoryActions: listRegulatoryActions,
    listAssociationLicenseComplianceStatuses: listLicenseComplianceStatuses,
    listAssociationPolicyComplianceStatuses: listPolicyComplianceStatuses,
    getAssociationSignInUrl: getSignInUrl,
    listContractContainerTemplates: listTemplates,
    listAssociationsV1,
    getAssociationV1: getAssociation,
    updateAssociationV1: updateAssociation,
    addAssociationV1: addAssociation,
    inviteAssociationV1: inviteAssociation,
    syncAssociationV1: syncAssociation,
    listAssociationAppointmentsV1: listAppointments,
    listAssociationLicensesV1: listLicenses,
    listAssociationRegulatoryActionsV1: listRegulatoryActions,
    listAssociationLicenseComplianceStatusesV1: listLicenseComplianceStatuses,
    listAssociationPolicyComplianceStatusesV1: listPolicyComplianceStatuses,
    getAssociationSignInUrlV1: getSignInUrl,
    listContractContainerTemplatesV1: listTemplates,
  },
  guards: writeGuards,
  deps: ({
    tables,
    clients: { linkSecret, sendToRegistrySync },
    agencyAppUrl,
    context,
  }: AssociationsDependencies) => ({
    associations: createAssociationStore(tables.associations),
    changesSince: createChangesSince([
      tables.associations,
      tables.downstreamEntities,
      tables.registryRecords,
    ]),
    clock: context.now,
    complianceConfigs: createComplianceConfigs(tables.compliance),
    carrierIdentityOf: createCarrierIdentityOf(tables.organizations),
    contacts: createContactStore(tables.contacts),
    entities: createDownstreamEntities(tables.downstreamEntities),
    events: createAssociationEventItems(tables.outbox.items),
    firstPoll: (poll: FirstPoll, now: Date) => firstPollItem(tables.registryRecords.items, poll, now),
    oneTimeLinks: createOneTimeLinks(
      tables.oneTimeLinks.items,
      createSignInTokens(linkSecret.current),
      agencyAppUrl,
    ),
    organizations: createOrganizationStore(tables.organizations),
    policies: createPoliciesByAgency(tables.policies),
    recordedFacts: createRecordedFacts(tables.registryRecords),
    registryRecords: createRegistryRecords(tables.registryRecords),
    sendSyncJob: createSendSyncJob(sendToRegistrySync),
    synchronizations: createSynchronizationStore(tables.registryRecords),
    tables,
    templates: createTemplateStore(tables.associations),
  }),
});
