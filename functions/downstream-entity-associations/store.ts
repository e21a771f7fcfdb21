import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { createAssociationEventItems } from '#domain/associations/events.ts';
import { type ContractContainerTemplate, contractContainerTemplate } from '#domain/associations/resource.ts';
import { createAssociationStore } from '#domain/associations/store.ts';
import { associationKeys } from '#domain/associations/stored.ts';
import { createCarrierCatalog } from '#domain/carriers/catalog.ts';
import { createDecisionSources } from '#domain/compliance/sources.ts';
import { createContactStore } from '#domain/contacts/store.ts';
import { createDownstreamEntities } from '#domain/downstream-entities/stored.ts';
import { createOneTimeLinks, createSignInTokens } from '#domain/one-time-links/store.ts';
import { createPoliciesByAgency } from '#domain/policy-compliance/statuses.ts';
import { simulatedKeys, simulatedRecordDays } from '#domain/registry/simulated-record.ts';
import { createQuestionBudget } from '#domain/registry-records/questions.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
  type SyncJob,
  shownChanges,
} from '#domain/registry-records/resources.ts';
import { createRegistryRecords } from '#domain/registry-records/store.ts';
import { newSubscription, registryKeys, subscriptionIdOf } from '#domain/registry-records/stored.ts';
import {
  type FirstPoll,
  firstPollItem,
  subscriptionCreation,
} from '#domain/registry-records/subscriptions.ts';
import type { Resources } from '#function/function.ts';
import { createUnlessRestored } from '#platform/changes/change-index.ts';
import type { SecretText } from '#platform/config/secret-text.ts';
import { timestamp } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { VersionConflict } from '#platform/data/transact.ts';
import { expiresAfterDays } from '#platform/dates/dates.ts';
import { createOrganizationStore } from '#platform/identity/organizations.ts';
import type { SendMessages } from '#platform/queue/send.ts';
import type { uses } from './uses.ts';

/** A subscription with the state of its last synchronization on its way to the queue. */
const storedSynchronization = storedItem('registry-records/synchronization', {
  ...registryDataSubscription.shape,
  /** Whether the queue has accepted the job. */
  isSent: z.optional(z.boolean()),
  queuedAt: z.optional(timestamp),
});

export type Synchronization = z.output<typeof storedSynchronization>;

/** A record that a sandbox's customer put, or took back. */
const putRecord = storedItem('registry-records/put-record', { expiresAt: z.int() });

/** Synchronizations of an owner's subscriptions up to the queue; from there the worker takes over. */
export function createSynchronizationStore(table: Table) {
  const keyOf = ({ dataOwnerId, _id }: RegistryDataSubscription) =>
    registryKeys.subscription(dataOwnerId, _id);

  return {
    /** The subscription for an NPN, read consistently. */
    find(owner: string, npn: string): Promise<Synchronization | undefined> {
      const key = registryKeys.subscription(owner, subscriptionIdOf(owner, npn));
      return table.get(storedSynchronization, key);
    },

    /** Whether what a simulated registry reports of an NPN was put, or taken back, since a time. */
    async isPutSince(owner: string, npn: string, time: Date): Promise<boolean> {
      const record = await table.get(putRecord, simulatedKeys.ownRecord(owner, npn));
      return record !== undefined && record.expiresAt >= expiresAfterDays(time, simulatedRecordDays);
    },

    /**
     * Marks a subscription as queued, not yet sent; creates it where there is none.
     * @param before the subscription as it was read
     * @throws VersionConflict when another request or the worker was faster.
     */
    async queue(owner: string, npn: string, before: Synchronization | undefined, now: Date) {
      const synchronization =
        before ??
        newSubscription({ dataOwnerId: owner, dataOwnerModel: 'upstreamEntity' }, npn, 'downstreamEntity');
      const after: Synchronization = {
        ...synchronization,
        entityModel: synchronization.entityModel ?? 'downstreamEntity',
        entityInfo: { ...synchronization.entityInfo, status: 'queued', jobId: randomUUID(), message: null },
        isSent: false,
        queuedAt: now.toISOString(),
      };
      if (before === undefined) {
        await table.transact(subscriptionCreation(table.items, after, now, () => new VersionConflict()));
        return after;
      }
      const { entityModel, entityInfo, isSent, queuedAt } = after;
      const changes = shownChanges(after, { entityModel, entityInfo, isSent, queuedAt }, now);
      const isAsRead = { entityInfo: before.entityInfo, entityModel: before.entityModel };
      const isWritten = await table.update(keyOf(after), changes, isAsRead);
      if (!isWritten) throw new VersionConflict();
      return after;
    },

    /** The transaction item that records that the queue has accepted the job. */
    markSent: (synchronization: Synchronization) =>
      table.items.update(
        keyOf(synchronization),
        { isSent: true },
        { 'entityInfo.jobId': synchronization.entityInfo.jobId },
      ),

    /** Writes items in one transaction, if there are any. */
    write: table.transact,
  };
}

const storedTemplate = storedItem('associations/template', {
  ...contractContainerTemplate.shape,
  isDeleted: z.boolean(),
});

const isUsable = ({ isActive, isDeleted }: z.output<typeof storedTemplate>): boolean =>
  isActive && !isDeleted;

/** A carrier's active contract container templates. */
const createTemplateStore = (associations: Table) => ({
  async *list(owner: string): AsyncIterable<ContractContainerTemplate[]> {
    const { pk } = associationKeys.template(owner, '');
    for await (const templates of associations.query(storedTemplate, pk)) {
      yield templates.filter(isUsable);
    }
  },

  async find(owner: string, templateId: string): Promise<ContractContainerTemplate | undefined> {
    const key = associationKeys.template(owner, templateId);
    const template = await associations.get(storedTemplate, key, { consistent: false });
    return template !== undefined && isUsable(template) ? template : undefined;
  },
});

/** Resources of the function beside its tables. */
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

/** What the operations of associations work with. */
export const createAssociationSources = ({
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
  carriers: createCarrierCatalog(tables.carriers, context.now),
  ...createDecisionSources(tables),
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
  registryRecords: createRegistryRecords(tables.registryRecords),
  /** Resolves when the queue has the job. */
  sendSyncJob: (job: SyncJob) => sendToRegistrySync([job]),
  synchronizations: createSynchronizationStore(tables.registryRecords),
  tables,
  templates: createTemplateStore(tables.associations),
});

export type AssociationSources = ReturnType<typeof createAssociationSources>;
