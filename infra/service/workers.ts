import { Duration } from 'aws-cdk-lib';
import { FilterRule } from 'aws-cdk-lib/aws-lambda';
import { complianceChangesEnvironment } from '../../functions/compliance-changes/environment.ts';
import { eventPublisherEnvironment } from '../../functions/event-publisher/environment.ts';
import { licenseSweepEnvironment } from '../../functions/license-sweep/environment.ts';
import { registryReconciliationEnvironment } from '../../functions/registry-reconciliation/environment.ts';
import { registrySyncEnvironment } from '../../functions/registry-sync/environment.ts';
import { webhookDeliveryEnvironment } from '../../functions/webhook-delivery/environment.ts';
import { webhookFanoutEnvironment } from '../../functions/webhook-fanout/environment.ts';
import { plain } from '../constructs/binding.ts';
import { StreamFunction } from '../constructs/stream-function.ts';
import { WorkerFunction } from '../constructs/worker-function.ts';
import { commonUses, type ServiceContext } from './context.ts';
import type { Queues } from './queues.ts';

/** The publisher, which publishes events from the outbox to the bus, and the functions that process queues. */
export function createWorkers(context: ServiceContext, queues: Queues) {
  return {
    publisher: createPublisher(context, queues),
    registrySync: createRegistrySync(context, queues),
    webhookFanout: createWebhookFanout(context, queues),
    webhookDelivery: createWebhookDelivery(context, queues),
    complianceChanges: createComplianceChanges(context, queues),
    licenseSweep: createLicenseSweep(context, queues),
    registryReconciliation: createRegistryReconciliation(context, queues),
  };
}

export type Workers = ReturnType<typeof createWorkers>;

function createPublisher(context: ServiceContext, queues: Queues) {
  const { scope, deployment, data } = context;
  return new StreamFunction(scope, 'event-publisher', {
    deployment,
    timeout: Duration.minutes(5),
    environment: eventPublisherEnvironment,
    uses: {
      ...commonUses(context),
      OUTBOX_TABLE: data.outbox.allows({
        items: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
        query: ['table', 'unpublished'],
      }),
      EVENT_BUS_NAME: queues.bus.puts(),
      DEFERRED_EVENTS_PER_SECOND: plain(String(deployment.deferredEventsPerSecond)),
    },
    table: data.outbox,
    // Only new events, not later updates to them or the counters in the same table. A deferred event is under another key
    // until it is released.
    filter: {
      eventName: FilterRule.isEqual('INSERT'),
      dynamodb: { Keys: { sk: { S: FilterRule.beginsWith('EVENT#') } } },
    },
    batchSize: 100,
    // Events that still fail stay in the outbox, and the schedule retries them.
    retryAttempts: 5,
  });
}

function createRegistrySync(context: ServiceContext, queues: Queues) {
  const { scope, deployment, data } = context;
  return new WorkerFunction(scope, 'registry-sync', {
    deployment,
    environment: registrySyncEnvironment,
    uses: {
      ...commonUses(context),
      ...data.registry.asks(),
      REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
        items: ['PutItem', 'UpdateItem', 'ConditionCheckItem'],
        query: ['table'],
      }),
      OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
      ...queues.registrySync.workerUses(),
    },
    feeds: [{ queue: queues.registrySync, batchSize: 5 }],
  });
}

function createWebhookFanout(context: ServiceContext, queues: Queues) {
  const { scope, deployment, data } = context;
  return new WorkerFunction(scope, 'webhook-fanout', {
    deployment,
    environment: webhookFanoutEnvironment,
    uses: {
      ...commonUses(context),
      WEBHOOKS_TABLE: data.webhooks.allows({
        items: ['BatchGetItem', 'BatchWriteItem', 'PutItem', 'UpdateItem'],
        query: ['table'],
      }),
      HEALTHY_DELIVERIES_QUEUE_URL: queues.healthyDeliveries.sends(),
      FAILING_DELIVERIES_QUEUE_URL: queues.failingDeliveries.sends(),
      ...queues.webhookFanout.workerUses(),
    },
    feeds: [{ queue: queues.webhookFanout, batchSize: 10 }],
  });
}

function createWebhookDelivery(context: ServiceContext, queues: Queues) {
  const { scope, deployment, data } = context;
  return new WorkerFunction(scope, 'webhook-delivery', {
    deployment,
    environment: webhookDeliveryEnvironment,
    uses: {
      ...commonUses(context),
      WEBHOOKS_TABLE: data.webhooks.allows({
        items: ['BatchGetItem', 'BatchWriteItem', 'PutItem', 'UpdateItem', 'PartiQLUpdate'],
        query: ['table', 'by-look'],
      }),
      WEBHOOK_KEY_ARN: data.webhookKey.decrypts(),
      OUTBOX_TABLE: data.outbox.allows({ items: ['BatchGetItem'] }),
      HEALTHY_DELIVERIES_QUEUE_URL: queues.healthyDeliveries.sends(),
      FAILING_DELIVERIES_QUEUE_URL: queues.failingDeliveries.sends(),
      // An unreadable message does not say which queue it came from, so those of both queues go to one dead-letter queue.
      ...queues.healthyDeliveries.workerUses(),
      ALLOW_LOOPBACK_RECEIVERS: plain(deployment.loopbackReceivers),
    },
    recursion: {
      reason:
        'It hands a webhook over to its other queue, or to itself after a pause or when its time is up; a webhook without due deliveries ends the chain.',
    },
    feeds: [
      // One at a time, so that no webhook waits for another's slow receiver.
      { queue: queues.healthyDeliveries, batchSize: 1 },
      // Failing ones wait for their receivers together, which takes a tenth of the workers.
      { queue: queues.failingDeliveries, batchSize: 10 },
    ],
  });
}

function createComplianceChanges(context: ServiceContext, queues: Queues) {
  const { scope, deployment, data } = context;
  return new WorkerFunction(scope, 'compliance-changes', {
    deployment,
    environment: complianceChangesEnvironment,
    uses: {
      ...commonUses(context),
      COMPLIANCE_TABLE: data.compliance.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
        query: ['table'],
      }),
      REGISTRY_RECORDS_TABLE: data.registryRecords.allows({ query: ['table'] }),
      AGENTS_TABLE: data.agents.allows({ query: ['table', 'by-npn'] }),
      ASSOCIATIONS_TABLE: data.associations.allows({ items: ['BatchGetItem'], query: ['table', 'by-npn'] }),
      DOWNSTREAM_ENTITIES_TABLE: data.downstreamEntities.allows({ items: ['BatchGetItem'] }),
      ORGANIZATIONS_TABLE: data.organizations.allows({ items: ['GetItem'] }),
      OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
      COMPLIANCE_CHANGES_QUEUE_URL: queues.complianceChanges.sends(),
      ...queues.complianceChanges.workerUses(),
    },
    recursion: {
      reason:
        'A change is reported when its window ends, and each further change moves that end: its message is sent again until then, for half an hour at most. A walk sends jobs, which send no jobs.',
    },
    feeds: [{ queue: queues.complianceChanges, batchSize: 5 }],
  });
}

function createLicenseSweep(context: ServiceContext, queues: Queues) {
  const { scope, deployment, data } = context;
  return new WorkerFunction(scope, 'license-sweep', {
    deployment,
    environment: licenseSweepEnvironment,
    uses: {
      ...commonUses(context),
      REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
        query: ['by-renewal'],
      }),
      AGENTS_TABLE: data.agents.allows({ items: ['BatchGetItem'] }),
      ASSOCIATIONS_TABLE: data.associations.allows({ query: ['by-npn'] }),
      OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
      LICENSE_SWEEP_QUEUE_URL: queues.licenseSweep.sends(),
      ...queues.licenseSweep.workerUses(),
    },
    recursion: {
      reason: 'When its schedule calls it, it sends the jobs that invoke it; a job sends no messages.',
    },
    feeds: [{ queue: queues.licenseSweep, batchSize: 1 }],
  });
}

function createRegistryReconciliation(context: ServiceContext, queues: Queues) {
  const { scope, deployment, data } = context;
  return new WorkerFunction(scope, 'registry-reconciliation', {
    deployment,
    environment: registryReconciliationEnvironment,
    uses: {
      ...commonUses(context),
      ...data.registry.asks(),
      REGISTRY_RECORDS_TABLE: data.registryRecords.allows({
        items: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
        query: ['table', 'by-npn', 'by-renewal', 'by-shard', 'by-visit'],
      }),
      AGENTS_TABLE: data.agents.allows({ items: ['BatchGetItem'] }),
      ASSOCIATIONS_TABLE: data.associations.allows({ query: ['by-npn'] }),
      OUTBOX_TABLE: data.outbox.allows({ items: ['PutItem'] }),
      REGISTRY_VISITS_PER_SECOND: plain(String(deployment.registryVisits.perSecond)),
      REGISTRY_RECONCILIATION_QUEUE_URL: queues.registryReconciliation.sends(),
      ...queues.registryReconciliation.workerUses(),
    },
    recursion: {
      reason: 'When its schedules call it, it sends the jobs that invoke it; a job sends no messages.',
    },
    feeds: [{ queue: queues.registryReconciliation, batchSize: 1 }],
  });
}
