import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createWaker } from '#domain/webhooks/drain.ts';
import { createDrainQueues, drainMessage } from '#domain/webhooks/drain-queues.ts';
import { createWebhookSecrets } from '#domain/webhooks/secrets.ts';
import { eventFunction } from '#function/function.ts';
import { createDataKeys } from '#platform/crypto/data-keys.ts';
import { queueConsumer, queueContext } from '#platform/queue/consumer.ts';
import { createSqsClient } from '#platform/queue/send.ts';
import { createOverdueWebhooks, type WakeOverdueTask, wakeOverdue } from './check-due.ts';
import { type DrainDeps, drain } from './drain.ts';
import { openConnections } from './exchange.ts';
import { createDeliveryStore, createLeaseStore } from './store.ts';
import { uses } from './uses.ts';

/** Invoked by its queues, drains the webhooks of the messages; invoked by its schedule, wakes those that are overdue. */
export const webhookDeliveryFunction = eventFunction({
  uses,
  resources: ({ values, queues }) => {
    const sqs = createSqsClient();
    return {
      queue: queueContext(sqs, values),
      queues: createDrainQueues(queues, sqs),
      dataKeys: createDataKeys(values.WEBHOOK_KEY_ARN),
      addressRules: { loopback: values.ALLOW_LOOPBACK_RECEIVERS === 'yes' },
    };
  },
  compose({ queues, dataKeys, tables, addressRules, queue, context: { logger: log, now } }) {
    const deps: DrainDeps = {
      leases: createLeaseStore(tables.webhooks),
      store: createDeliveryStore(tables),
      queues,
      secrets: createWebhookSecrets(dataKeys, now),
      connect: () => openConnections({ rules: addressRules }),
      now,
      random: Math.random,
      log,
    };
    const waker = createWaker(tables.webhooks, { queues, now });
    const webhooks = createOverdueWebhooks(tables.webhooks);
    const consume = queueConsumer({
      schema: drainMessage,
      work: (delivery) => drain(delivery, deps),
      ...queue,
      log,
    });
    return (event: SQSEvent | WakeOverdueTask): Promise<SQSBatchResponse | { readonly woken: number }> =>
      'task' in event ? wakeOverdue({ webhooks, waker, now, log }) : consume(event);
  },
});
