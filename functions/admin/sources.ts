import type { SQSClient } from '@aws-sdk/client-sqs';
import { createActivateAssociation } from '#domain/associations/events.ts';
import { createAssociationStore } from '#domain/associations/store.ts';
import { createDownstreamEntities, createOwnEntities } from '#domain/downstream-entities/stored.ts';
import { createEventItems } from '#domain/events/outbox.ts';
import { createAttachableFiles, fileLinks } from '#domain/file-documents/first-use.ts';
import type { ObjectStore } from '#domain/file-documents/object-store.ts';
import { createFilingStore } from '#domain/filings/store.ts';
import { createLicenseRequests, type LicenseRequestStatus } from '#domain/licensing/requests.ts';
import { createSimulatedRecords } from '#domain/registry/simulated-record.ts';
import { createRegistryRecords } from '#domain/registry-records/store.ts';
import { requestPoll } from '#domain/registry-records/subscriptions.ts';
import type { Resources } from '#function/function.ts';
import { existing } from '#platform/contract/errors.ts';
import { features } from '#platform/contract/route.ts';
import { mapConcurrently } from '#platform/data/concurrently.ts';
import { createOrganizations } from '#platform/identity/organizations.ts';
import { createActivateById, createExecuteContract } from './contracts.ts';
import { createAnnounceFile, createFilingAdministration } from './filings.ts';
import { createCheckConfig, createListUnread } from './held-records.ts';
import { createRedrive, createScheduledWork, type Invoke, type QueueAddresses, resultOf } from './invoke.ts';
import { createOrganizationAdministration, createUpdateOrganization } from './organizations.ts';
import { createSetRegistryRecord } from './simulated-registry.ts';
import type { uses } from './uses.ts';

/** Resources of the function beside its tables. */
interface OwnResources {
  readonly objectStore: ObjectStore;
  readonly invoke: Invoke;
  readonly sqs: SQSClient;
  /** Address of the registry; a simulated one has records that operators can set. */
  readonly registryAddress: string;
  /** Queues that can be redriven, by name. */
  readonly queues: QueueAddresses;
  /** Whether the environment is a sandbox. */
  readonly isSandbox: boolean;
  /** Whether scheduled work can be done as of a time that is still to come. */
  readonly allowsFutureAsOf: boolean;
}

/** What the commands work with. */
export function createCommandSources({
  objectStore,
  invoke,
  sqs,
  tables,
  registryAddress,
  queues,
  allowsFutureAsOf,
  isSandbox,
  context: { now },
}: Resources<typeof uses, OwnResources>) {
  const events = createEventItems(tables.outbox.items);
  const { notMoving } = createOwnEntities(tables.downstreamEntities);
  const licenseRequests = createLicenseRequests(tables.licensing);
  const simulatedRecords = createSimulatedRecords(tables.registryRecords);
  const associations = createAssociationStore(tables.associations);
  const entities = createDownstreamEntities(tables.downstreamEntities);
  const organizations = createOrganizations(tables.organizations);
  const files = createAttachableFiles(tables.fileDocuments, objectStore, events);
  const registryRecords = createRegistryRecords(tables.registryRecords);
  const activate = createActivateAssociation({ associations, entities, events, organizations });
  return {
    /** Features of an organization unless its operator says otherwise. */
    defaultFeatures: features.filter((feature) => isSandbox || feature !== 'sandbox'),
    organizations: createOrganizationAdministration(tables.organizations, now),
    checkConfig: createCheckConfig(tables, now),
    listUnread: createListUnread(tables, now),
    updateOrganization: createUpdateOrganization(tables, events, now),
    filings: createFilingAdministration({
      filings: createFilingStore(tables.filings, now),
      files,
      link: (file) => fileLinks(objectStore, file, now()),
      now,
    }),
    announceFile: createAnnounceFile(tables.fileDocuments, objectStore, now),
    /** @throws DomainError `not_found`; `state_conflict` when the request's status does not allow the transition. */
    moveLicenseRequest: async (licenseRequestId: string, status: LicenseRequestStatus) => {
      const owner = existing(await licenseRequests.ownerOf(licenseRequestId));
      return licenseRequests.move(owner, licenseRequestId, status, now(), ({ downstreamEntityId }) => [
        notMoving(downstreamEntityId),
      ]);
    },
    /** Redeems a link for its bearer. @throws ApiError as `link-redemption` refuses. */
    redeemOneTimeLink: async (input: object) => resultOf(await invoke('link-redemption', input)),
    executeContract: createExecuteContract({
      table: tables.associations,
      associations,
      activate,
      files,
      events,
      now,
    }),
    activateAssociation: createActivateById({ associations, activate, entities, registryRecords, now }),
    scheduledWork: createScheduledWork({ invoke, allowsFutureAsOf, now }),
    /** Has NPNs visited in the next night before those that nobody asked for; nobody subscribes to those that are unknown. */
    requestVisits: async (npns: readonly string[]) => {
      const knownFlags = await mapConcurrently(new Set(npns), (npn) =>
        requestPoll(tables.registryRecords, npn, now()),
      );
      const requestedCount = knownFlags.filter((isKnown) => isKnown).length;
      return { requested: requestedCount, unknown: knownFlags.length - requestedCount };
    },
    setRegistryRecord: createSetRegistryRecord(simulatedRecords, registryAddress, now),
    redrive: createRedrive(sqs, queues, now),
  };
}

export type CommandSources = ReturnType<typeof createCommandSources>;
