import type { WorkerDependencies } from '../../shared/config/dependencies.ts';
import { createEventSteps } from '../../shared/events/outbox.ts';
import { createNpnHolders } from '../../shared/npn-holders/holders.ts';
import { queueConsumer } from '../../shared/queue/consumer.ts';
import { scheduledWorker } from '../../shared/queue/scheduled-worker.ts';
import type { SendMessages } from '../../shared/queue/send-messages.ts';
import type { Registry } from '../../shared/registry/registry.ts';
import { passJob } from '../../shared/regulatory-pass/jobs.ts';
import { type PassDeps, pass, passJobs } from '../../shared/regulatory-pass/pass.ts';
import { createPassStore } from '../../shared/regulatory-pass/store.ts';

type PassDependencies = WorkerDependencies<
  'registryRecords' | 'agents' | 'associations' | 'outbox',
  {
    readonly registry: Registry;
    /** Sends to the worker's own queue. */
    readonly send: SendMessages;
  }
>;

/** Called by its schedule once a day, queues what is to be passed over; called by the queue, does so. */
export function createRegulatoryPassFunction({
  clients: { dynamo, registry, send },
  tables,
  queue,
  context: { logger: log, now },
}: PassDependencies) {
  const deps: PassDeps = {
    store: createPassStore(dynamo, tables.registryRecords),
    registry,
    holders: createNpnHolders(dynamo, tables),
    events: createEventSteps(tables.outbox),
    now,
    onFailure: (subscription, error) =>
      log.error('A subscription was not passed over; its job is done again.', {
        event: 'subscription_not_passed',
        ...subscription,
        error: error instanceof Error ? error : new Error(String(error)),
      }),
  };
  const consume = queueConsumer({
    schema: passJob,
    work: async ({ message: job }) => {
      log.info('regulatory pass', { event: 'regulatory_pass', ...(await pass(job, deps)) });
      return 'done';
    },
    ...queue,
    log,
  });
  return scheduledWorker({
    jobs: (asOf) => passJobs(asOf, deps.store),
    send,
    consume,
    onQueued: (jobs) => log.info('regulatory pass queued', { event: 'regulatory_pass_queued', jobs }),
    now,
  });
}
