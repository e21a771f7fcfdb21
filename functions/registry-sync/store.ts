import * as z from 'zod/mini';
import { recordsChanged } from '#domain/compliance/inputs-changed.ts';
import { derivedEventId } from '#domain/events/stored.ts';
import type { EventItems } from '#domain/events/transaction-items.ts';
import { type RegistryReport, unknownNpn } from '#domain/registry/registry.ts';
import type { WriteOutcome } from '#domain/registry-records/holder-records.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
  type SyncJob,
  shownChanges,
} from '#domain/registry-records/resources.ts';
import { registryKeys } from '#domain/registry-records/stored.ts';
import { createSubscriberRecords, synchronizedEvent } from '#domain/registry-records/subscriber-records.ts';
import { requestPoll } from '#domain/registry-records/subscriptions.ts';
import { holderChange } from '#domain/registry-records/visited-holders.ts';
import { isNot } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';

/** A synchronization that is under way. */
export type Synchronization = Pick<RegistryDataSubscription, 'dataOwnerModel'>;

/** A job is no longer its subscription's, or another delivery of it is done. */
export class JobEnded extends Error {}

/** The writes of a synchronization. A job that is no longer the subscription's, or is done, changes nothing. */
export type SynchronizationStore = ReturnType<typeof createSynchronizationStore>;

const subscriptionOf = ({ organizationId, registryDataSubscriptionId }: SyncJob) => ({
  dataOwnerId: organizationId,
  _id: registryDataSubscriptionId,
});

const begunSynchronization = storedItem(
  'registry-records/synchronization-begun',
  z.pick(registryDataSubscription, { dataOwnerModel: true }).shape,
);

const inProgress = ({ jobId }: SyncJob) => ({
  'entityInfo.jobId': jobId,
  'entityInfo.status': 'in progress',
});

const subscriptionKey = ({ organizationId, registryDataSubscriptionId }: SyncJob) =>
  registryKeys.subscription(organizationId, registryDataSubscriptionId);

const failureWith = (message: string) => ({
  'entityInfo.status': 'failed',
  'entityInfo.message': message,
});

export function createSynchronizationStore(table: Table, events: EventItems, now: () => Date) {
  const records = createSubscriberRecords(table, now);

  return {
    /** Marks the job as in progress, again as often as it asks; also a failed one that on-call has redriven. */
    async begin(job: SyncJob): Promise<Synchronization | 'obsolete' | 'no_subscription'> {
      const changes = { 'entityInfo.status': 'in progress', 'entityInfo.message': null };
      const { isWritten, item } = await table.change(
        begunSynchronization,
        subscriptionKey(job),
        shownChanges(subscriptionOf(job), changes, now()),
        { 'entityInfo.jobId': job.jobId, 'entityInfo.status': isNot('success') },
      );
      if (isWritten) return item;
      return item === undefined ? 'no_subscription' : 'obsolete';
    },

    /**
     * Records what the registry reports, completes the job, and emits the carrier's event. Where it does not find the NPN, the job fails,
     * and that is recorded if it found it before.
     * @param askedAt when the registry was asked.
     * @throws JobEnded.
     * @returns as `SubscriberRecords.apply`.
     */
    complete(
      job: SyncJob,
      { dataOwnerModel }: Synchronization,
      askedAt: Date,
      report: RegistryReport | undefined,
    ) {
      const { jobId, npn, organizationId: dataOwnerId, registryDataSubscriptionId: _id } = job;
      const subscriber = { _id, dataOwnerId, dataOwnerModel, npn };
      const time = now();
      const changes =
        report === undefined
          ? failureWith('The registry does not recognize this NPN.')
          : {
              'entityInfo.status': 'success',
              'entityInfo.message': null,
              lastSynchronizationDate: time.toISOString(),
              pdbAlertsSubscriptionStatus: 'active',
            };
      const eventsOf = ({ isJudged }: WriteOutcome): readonly TransactionItem[] => {
        if (report !== undefined)
          return synchronizedEvent(events, subscriber, time, derivedEventId('synchronized', _id, jobId));
        const isSent = isJudged && dataOwnerModel === 'upstreamEntity';
        return isSent ? events([recordsChanged(dataOwnerId, npn)], now()) : [];
      };
      return records.apply(subscriber, report ?? unknownNpn, {
        isSilent: false,
        moment: askedAt,
        last: (outcome) => [
          // Its time is taken here: the transactions before it may have taken long.
          table.items.update(
            subscriptionKey(job),
            shownChanges(subscriber, changes, now()),
            inProgress(job),
            () => new JobEnded(),
          ),
          ...eventsOf(outcome),
        ],
      });
    },

    /** Records who holds the NPN, by the registry's report to everybody. */
    async recordHolder({ npn }: SyncJob, report: RegistryReport): Promise<void> {
      await table.update(registryKeys.npn(npn), holderChange(report, now()));
    },

    async fail(job: SyncJob, message: string): Promise<void> {
      const changes = shownChanges(subscriptionOf(job), failureWith(message), now());
      // The next night makes up for it.
      if (await table.update(subscriptionKey(job), changes, inProgress(job)))
        await requestPoll(table, job.npn, now());
    },
  };
}
