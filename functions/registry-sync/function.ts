import * as z from 'zod/mini';
import { recordsChanged } from '#domain/compliance/inputs-changed.ts';
import { createEventItems } from '#domain/events/outbox.ts';
import { derivedEventId } from '#domain/events/stored.ts';
import type { EventItems } from '#domain/events/transaction-items.ts';
import { createRegistry } from '#domain/registry/environment-registry.ts';
import {
  type Registry,
  type RegistryReport,
  RegistryUnavailable,
  unknownNpn,
} from '#domain/registry/registry.ts';
import type { WriteOutcome } from '#domain/registry-records/holder-records.ts';
import { holderChange } from '#domain/registry-records/questions.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
  type SyncJob,
  shownChanges,
  syncJob,
} from '#domain/registry-records/resources.ts';
import { registryKeys } from '#domain/registry-records/stored.ts';
import { createSubscriberRecords, synchronizedEvent } from '#domain/registry-records/subscriber-records.ts';
import { requestPoll } from '#domain/registry-records/subscriptions.ts';
import { logUnreadable } from '#domain/registry-records/unreadable-rows.ts';
import { eventFunction } from '#function/function.ts';
import { isNot } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import type { Log, LogOutcome } from '#platform/log/log.ts';
import { type Delivery, type MessageOutcome, queueConsumer, queueContext } from '#platform/queue/consumer.ts';
import { createSqsClient } from '#platform/queue/send.ts';
import { uses } from './uses.ts';

/** A synchronization that is under way. */
export type Synchronization = Pick<RegistryDataSubscription, 'dataOwnerModel'>;

/** A job is no longer its subscription's, or another delivery of it is done. */
class JobEnded extends Error {}

/** The writes of a synchronization. A job that is no longer the subscription's, or is done, changes nothing. */
type SynchronizationStore = ReturnType<typeof createSynchronizationStore>;

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

interface SynchronizeDeps {
  readonly registry: Registry;
  readonly store: SynchronizationStore;
  readonly log: Log;
  readonly now: () => Date;
}

/** The outcome of a job, as it is logged. */
type Outcome = LogOutcome<'registry_sync'>;

/** Asks the registry, and records what it says. */
async function visit(job: SyncJob, { registry, store, log, now }: SynchronizeDeps): Promise<Outcome> {
  const synchronization = await store.begin(job);
  if (typeof synchronization === 'string') return synchronization;
  const askedAt = now();
  const report = await registry.fetch(job.npn, job.organizationId);
  const { newlyUnreadable } = await store.complete(job, synchronization, askedAt, report);
  if (report === undefined) return 'unknown_npn';
  // A simulated registry reports to each organization what that put.
  if (registry.visit === undefined) await store.recordHolder(job, report);
  if (newlyUnreadable > 0) logUnreadable(log, job.npn, newlyUnreadable, report);
  return 'success';
}

/**
 * Brings one subscription up to date with the registry (OpenAPI, "syncAssociation"). Any part of it may be done twice,
 * by a second or a concurrent delivery: what is written depends only on the registry's response, and nothing is written for
 * a job that is no longer the subscription's.
 */
async function synchronize(
  { message: job, last }: Delivery<SyncJob>,
  deps: SynchronizeDeps,
): Promise<MessageOutcome> {
  const { store, log } = deps;
  const { jobId, organizationId, registryDataSubscriptionId } = job;
  const logOutcome = (outcome: Outcome): void =>
    log.info('registry synchronization', {
      event: 'registry_sync',
      outcome,
      jobId,
      organizationId,
      registryDataSubscriptionId,
    });

  try {
    logOutcome(await visit(job, deps));
    return 'done';
  } catch (error) {
    if (error instanceof JobEnded) {
      logOutcome('obsolete');
      return 'done';
    }
    // A caller who polls must not wait indefinitely: the last delivery records the failure, whatever the reason. The message
    // still goes to the dead-letter queue, from which on-call can redrive it.
    const unavailable = error instanceof RegistryUnavailable;
    if (last) {
      await store.fail(
        job,
        unavailable ? 'The registry could not be reached.' : 'The synchronization could not be completed.',
      );
    }
    if (!unavailable) throw error;
    log.error('The registry is unavailable.', {
      event: 'registry_unavailable',
      jobId,
      organizationId,
      registryDataSubscriptionId,
      last,
      error,
    });
    return 'retry';
  }
}

/** Does the jobs that synchronize subscriptions with the registry. */
export const registrySyncFunction = eventFunction({
  uses,
  resources: ({ values, dynamo, context }) => ({
    registry: createRegistry(values, { dynamo, now: context.now }),
    queue: queueContext(createSqsClient(), values),
  }),
  compose({ registry, tables, queue, context: { logger: log, now } }) {
    const events = createEventItems(tables.outbox.items);
    const deps: SynchronizeDeps = {
      registry,
      store: createSynchronizationStore(tables.registryRecords, events, now),
      log,
      now,
    };
    return queueConsumer({
      schema: syncJob,
      work: (delivery) => synchronize(delivery, deps),
      ...queue,
      log,
    });
  },
});
