import { Duration } from 'aws-cdk-lib';
import { webhookTypes } from '../../shared/resources/webhook.ts';
import { EventBus } from '../constructs/event-bus.ts';
import { QueueWithDlq } from '../constructs/queue-with-dlq.ts';
import type { ServiceContext } from './context.ts';

const { minutes, seconds, hours } = Duration;

/** Every few minutes for an hour: an outage of AWS's own ends within that time, and the queue's age alarms long before. */
const hourOfRetries = { maxReceiveCount: 20 };

/** The queues between those who send work and those who do it, and the bus that feeds two of them. */
export function createQueues({ scope, deployment }: ServiceContext) {
  const registrySync = new QueueWithDlq(scope, 'registry-sync', {
    deployment,
    workerTimeout: minutes(1),
    // Every six minutes for half an hour: a longer outage of the registry is on-call's.
    maxReceiveCount: 5,
  });
  // An attempt lasts at most 15 seconds; its records and messages take the rest.
  const deliveries = { deployment, workerTimeout: seconds(30), ...hourOfRetries };
  const fastDeliveries = new QueueWithDlq(scope, 'deliveries-fast', deliveries);
  const slowDeliveries = new QueueWithDlq(scope, 'deliveries-slow', {
    ...deliveries,
    // A retry waits here for up to a quarter of an hour at a time.
    behindAfter: minutes(30),
  });
  const webhookFanout = new QueueWithDlq(scope, 'webhook-fanout', {
    deployment,
    workerTimeout: seconds(30),
    ...hourOfRetries,
  });
  const complianceChanges = new QueueWithDlq(scope, 'compliance-changes', {
    deployment,
    workerTimeout: minutes(1),
    ...hourOfRetries,
  });
  // A schedule queues all jobs at once, and workers go through them.
  const jobs = { deployment, workerTimeout: minutes(5), maxReceiveCount: 5 };
  const licenseSweep = new QueueWithDlq(scope, 'license-sweep', { ...jobs, behindAfter: hours(2) });
  const registryReconciliation = new QueueWithDlq(scope, 'registry-reconciliation', {
    ...jobs,
    behindAfter: hours(6),
  });

  const bus = new EventBus(scope, 'events', deployment);
  bus.carries(webhookTypes, webhookFanout);
  bus.carries(['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 'COMPLIANCE_INPUTS_CHANGED'], complianceChanges);

  return {
    registrySync,
    webhookFanout,
    fastDeliveries,
    slowDeliveries,
    complianceChanges,
    licenseSweep,
    registryReconciliation,
    bus,
  };
}

export type Queues = ReturnType<typeof createQueues>;
