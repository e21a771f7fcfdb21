import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { WorkerDependencies } from '../../shared/domain/dependencies.ts';
import type { AddressRules } from '../../shared/domain/webhooks/address.ts';
import { type DrainQueues, drainMessage } from '../../shared/domain/webhooks/drain-queues.ts';
import type { RoleSessions } from '../../shared/domain/webhooks/role-sessions.ts';
import { createWebhookSecrets } from '../../shared/domain/webhooks/secrets.ts';
import { createWaker } from '../../shared/domain/webhooks/wake.ts';
import type { DataKeys } from '../../shared/platform/crypto/data-keys.ts';
import { queueConsumer } from '../../shared/platform/queue/consumer.ts';
import { openConnections } from './connections.ts';
import { createDestinations } from './destinations.ts';
import { type DrainDeps, drain } from './drain.ts';
import { createLeaseStore } from './lease-store.ts';
import { createDeliveryStore } from './store.ts';
import type { uses } from './uses.ts';
import { createOverdueWebhooks, type WakeOverdueTask, wakeOverdue } from './wake-overdue.ts';

type DeliveryDependencies = WorkerDependencies<
  typeof uses,
  { readonly queues: DrainQueues; readonly dataKeys: DataKeys; readonly roles: RoleSessions }
> & {
  /** Which addresses are delivered to. */
  readonly addressRules: AddressRules;
};

/** Invoked by its queues, drains the webhooks of the messages; invoked by its schedule, wakes those that are overdue. */
export function createWebhookDeliveryFunction({
  clients: { queues, dataKeys, roles },
  tables,
  addressRules,
  queue,
  context: { logger: log, now },
}: DeliveryDependencies) {
  const deps: DrainDeps = {
    leases: createLeaseStore(tables.webhooks),
    store: createDeliveryStore(tables),
    queues,
    secrets: createWebhookSecrets(dataKeys, now),
    sendToDestination: createDestinations(roles, now),
    connect: () => openConnections({ rules: addressRules }),
    now,
    random: Math.random,
    log,
  };
  const waker = createWaker(tables.webhooks, { queues, now });
  const webhooks = createOverdueWebhooks(tables.webhooks);
  const consume = queueConsumer({ schema: drainMessage, work: (one) => drain(one, deps), ...queue, log });
  return (event: SQSEvent | WakeOverdueTask): Promise<SQSBatchResponse | { readonly woken: number }> =>
    'task' in event ? wakeOverdue({ webhooks, waker, now, log }) : consume(event);
}
