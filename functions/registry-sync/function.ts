import { createEventItems } from '#domain/events/outbox.ts';
import { createRegistry } from '#domain/registry/environment-registry.ts';
import { type Registry, RegistryUnavailable } from '#domain/registry/registry.ts';
import { type SyncJob, syncJob } from '#domain/registry-records/resources.ts';
import { logUnreadable } from '#domain/registry-records/unreadable-rows.ts';
import { eventFunction, type Resources } from '#function/function.ts';
import type { Log, LogOutcome } from '#platform/log/log.ts';
import {
  type Delivery,
  type MessageOutcome,
  type QueueContext,
  queueConsumer,
  queueContext,
} from '#platform/queue/consumer.ts';
import { createSqsClient } from '#platform/queue/send.ts';
import { createSynchronizationStore, JobEnded, type SynchronizationStore } from './store.ts';
import { uses } from './uses.ts';

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

function compose({
  registry,
  tables,
  queue,
  context: { logger: log, now },
}: Resources<typeof uses, { readonly registry: Registry; readonly queue: QueueContext }>) {
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
}

/** Does the jobs that synchronize subscriptions with the registry. */
export const registrySyncFunction = eventFunction({
  uses,
  compose,
  resources: ({ values, dynamo, context }) => ({
    registry: createRegistry(values, { dynamo, now: context.now }),
    queue: queueContext(createSqsClient(), values),
  }),
});
