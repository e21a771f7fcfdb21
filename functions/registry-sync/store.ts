import * as z from 'zod/mini';
import { derivedEventId } from '../../shared/domain/events/stored.ts';
import type { EventItems } from '../../shared/domain/events/transaction-items.ts';
import type { RegistryAction, RegistryEntity } from '../../shared/domain/registry/registry.ts';
import type { SyncJob } from '../../shared/domain/registry/sync-job.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
} from '../../shared/domain/registry-records/registry-data-subscription.ts';
import { shownChanges } from '../../shared/domain/registry-records/shown-changes.ts';
import { registryKeys } from '../../shared/domain/registry-records/stored.ts';
import {
  createSubscriberRecords,
  synchronizedEvent,
} from '../../shared/domain/registry-records/subscriber-records.ts';
import { isNot } from '../../shared/platform/data/expressions.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';

/** A synchronization that is under way. */
export interface Synchronization {
  readonly dataOwnerModel: RegistryDataSubscription['dataOwnerModel'];
}

/** The writes of a synchronization. A job that is no longer the subscription's, or is done, changes nothing. */
export type SynchronizationStore = ReturnType<typeof createSynchronizationStore>;

/** The subscription now belongs to another job, or this one is done. */
class JobObsolete extends Error {}

const subscriptionOf = ({ organizationId, registryDataSubscriptionId }: SyncJob) => ({
  dataOwnerId: organizationId,
  _id: registryDataSubscriptionId,
});

const storedOwner = storedItem(
  'registry-records/subscription-owner',
  z.pick(registryDataSubscription, { dataOwnerModel: true }),
);

const inProgress = ({ jobId }: SyncJob) => ({
  'entityInfo.jobId': jobId,
  'entityInfo.status': 'in progress',
});

const keyOf = ({ organizationId, registryDataSubscriptionId }: SyncJob) =>
  registryKeys.subscription(organizationId, registryDataSubscriptionId);

export function createSynchronizationStore(
  table: Table,
  events: EventItems<'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED'>,
  now: () => Date,
) {
  const records = createSubscriberRecords(table, now);

  return {
    /** Marks the job as in progress; also a failed one that on-call has redriven. */
    async begin(job: SyncJob): Promise<Synchronization | 'obsolete' | 'no_subscription'> {
      const changes = { 'entityInfo.status': 'in progress', 'entityInfo.message': null };
      const { isWritten, item } = await table.change(
        storedOwner,
        keyOf(job),
        shownChanges(subscriptionOf(job), changes, now()),
        { 'entityInfo.jobId': job.jobId, 'entityInfo.status': isNot('success') },
      );
      if (isWritten) return item;
      return item === undefined ? 'no_subscription' : 'obsolete';
    },

    /** Replaces the stored records with those of the registry, completes the job, and emits the carrier's event. */
    async complete(
      job: SyncJob,
      { dataOwnerModel }: Synchronization,
      { licenses, appointments }: RegistryEntity,
      actions: readonly RegistryAction[],
    ) {
      const { jobId, npn, organizationId: dataOwnerId, registryDataSubscriptionId: _id } = job;
      const subscriber = { _id, dataOwnerId, dataOwnerModel, npn };
      const refused = () => new JobObsolete();
      const at = now();
      const success = {
        'entityInfo.status': 'success',
        'entityInfo.message': null,
        lastSynchronizationDate: at.toISOString(),
        pdbAlertsSubscriptionStatus: 'active',
      };
      const guard = table.items.check(keyOf(job), inProgress(job), refused);
      const last = () => [
        // Its time is taken here: the transactions before it may have taken long.
        table.items.update(keyOf(job), shownChanges(subscriber, success, now()), inProgress(job), refused),
        ...synchronizedEvent(events, subscriber, at, derivedEventId('synchronized', _id, jobId)),
      ];
      try {
        const report = { licenses, appointments, actions };
        await records.apply(subscriber, report, { by: 'synchronization', isSilent: false, guard, last });
        return 'success';
      } catch (error) {
        if (error instanceof JobObsolete) return 'obsolete';
        throw error;
      }
    },

    async fail(job: SyncJob, message: string): Promise<void> {
      const changes = { 'entityInfo.status': 'failed', 'entityInfo.message': message };
      await table.update(keyOf(job), shownChanges(subscriptionOf(job), changes, now()), inProgress(job));
    },
  };
}
