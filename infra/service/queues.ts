import { Duration } from 'aws-cdk-lib';
import { leaseSeconds } from '../../functions/webhook-delivery/turn.ts';
import { webhookTypes } from '../../shared/domain/webhooks/resource.ts';
import { EventBus } from '../constructs/event-bus.ts';
import { QueueWithDlq } from '../constructs/queue-with-dlq.ts';
import type { ServiceContext } from './context.ts';

const { minutes, seconds, hours } = Duration;

/** Every few minutes for an hour or more: AWS outages usually end within that time, and the queue's age raises an alarm before. */
const hourOfRetries = { maxReceiveCount: 20 };

/** The queues of the workers, and the bus that sends events to two of them. */
export function createQueues({ scope, deployment }: ServiceContext) {
  const registrySync = new QueueWithDlq(scope, 'registry-sync', {
    deployment,
    workerTimeout: minutes(1),
    // Every six minutes for half an hour. A longer outage of the registry needs on-call.
    maxReceiveCount: 5,
  });
  // A worker's lease on a webhook ends when the worker must have ended.
  const deliveries = { deployment, workerTimeout: seconds(leaseSeconds), ...hourOfRetries };
  const healthyDeliveries = new QueueWithDlq(scope, 'deliveries-healthy', deliveries);
  const failingDeliveries = new QueueWithDlq(scope, 'deliveries-failing', deliveries);
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
  // A schedule queues all jobs at once.
  const jobs = { deployment, workerTimeout: minutes(5), maxReceiveCount: 5 };
  const licenseSweep = new QueueWithDlq(scope, 'license-sweep', { ...jobs, behindAfter: hours(2) });
  // Its jobs are queued at 21:00; what still waits at 05:00 comes too late for the license sweep.
  const registryReconciliation = new QueueWithDlq(scope, 'registry-reconciliation', {
    ...jobs,
    behindAfter: hours(8),
  });

  const bus = new EventBus(scope, 'events', deployment);
  bus.routes(webhookTypes, webhookFanout);
  bus.routes(['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 'COMPLIANCE_INPUTS_CHANGED'], complianceChanges);

  return {
    registrySync,
    webhookFanout,
    healthyDeliveries,
    failingDeliveries,
    complianceChanges,
    licenseSweep,
    registryReconciliation,
    bus,
  };
}

export type Queues = ReturnType<typeof createQueues>;
