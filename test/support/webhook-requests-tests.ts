// Shared by the tests of requested deliveries. Each file that imports it gets its own tables before its first test.

import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { createWebhooksFunction } from '../../functions/webhooks/function.ts';
import { webhookRoutes } from '../../functions/webhooks/routes.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { type QueuedDelivery, queuedDelivery } from '../../shared/domain/webhooks/deliveries.ts';
import { drainKey, storedDrain } from '../../shared/domain/webhooks/drain-item.ts';
import type { DrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { dueEntries, readDueEntry } from '../../shared/domain/webhooks/due-entries.ts';
import { deliveryItem, type StoredWebhook, webhookKeys } from '../../shared/domain/webhooks/stored.ts';
import { webhooksTable } from '../../shared/domain/webhooks/table.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { derivedObjectId, newObjectId } from '../../shared/platform/data/object-id.ts';
import { itemKey, parseStored } from '../../shared/platform/data/stored.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { idempotencyTable, rateCountersTable } from '../../shared/platform/request/tables.ts';
import { apiEvent, type EventOptions, lambdaContext } from './api-event.ts';
import { testContext } from './context.ts';
import { memoryDataKeys } from './data-keys.ts';
import { memoryQueues, putWebhook } from './deliveries.ts';
import { memoryRoles } from './roles.ts';
import { createTable, dynamo } from './tables.ts';

export const { routes } = webhookRoutes;
export const day = 86_400_000;
export const start = Date.UTC(2026, 5, 1);

export let tables: Readonly<Record<'webhooks' | 'outbox' | 'idempotency' | 'rateCounters', string>>;

beforeAll(async () => {
  const [webhooks, outbox, idempotency, rateCounters] = await Promise.all([
    createTable(webhooksTable),
    createTable(outboxTable),
    createTable(idempotencyTable),
    createTable(rateCountersTable),
  ]);
  tables = { webhooks, outbox, idempotency, rateCounters };
});

const answered = z.looseObject({
  data: z.optional(z.record(z.string(), z.unknown())),
  errorType: z.optional(z.string()),
});

/** A new carrier with its queues, and the operations it calls at a fixed time. */
export function newCarrier(broken: (sends: number) => boolean = () => false) {
  const owner = newObjectId(new Date());
  const now = () => new Date(start + 10 * day);
  const memory = memoryQueues(now);
  let sends = 0;
  const queues: DrainQueues = {
    async send(looks) {
      sends += 1;
      if (broken(sends)) throw new Error('The queue is unavailable.');
      await memory.queues.send(looks);
    },
  };
  const pipeline = createWebhooksFunction({
    clients: { dynamo, queues, dataKeys: memoryDataKeys(), roles: memoryRoles().roles },
    tables,
    addressRules: { loopback: false },
    context: testContext({ now }),
  });
  const credentialId = randomUUID();
  const ask = async (route: Parameters<typeof apiEvent>[0], options: EventOptions = {}) => {
    const identity = { organizationId: owner, category: 'upstreamEntity' as const, credentialId };
    const { status, headers, body } = await pipeline(
      apiEvent(route, { identity, ...options }),
      lambdaContext,
    );
    let text = '';
    if (typeof body === 'string') text = body;
    else for await (const part of body) text += part;
    const { data = {}, errorType } = z.parse(answered, JSON.parse(text));
    return { status, headers, data, errorType };
  };
  return {
    owner,
    now,
    memory,
    sends: () => sends,
    ask,
    test: ({ _id: webhookId }: StoredWebhook, body: object = {}, headers: Record<string, string> = {}) =>
      ask(routes.testWebhook, { params: { webhookId }, body, headers }),
    redeliver: (
      { _id: webhookId }: Pick<StoredWebhook, '_id'>,
      deliveryId: string,
      headers: Record<string, string> = {},
    ) => ask(routes.redeliverWebhookDelivery, { params: { webhookId, deliveryId }, headers }),
    replay: ({ _id: webhookId }: StoredWebhook, body: object, headers: Record<string, string> = {}) =>
      ask(routes.replayWebhook, { params: { webhookId }, body, headers }),
    webhook: (given: Partial<StoredWebhook> = {}) => putWebhook(tables.webhooks, owner, given),
    async delivery(webhookId: string, deliveryId: string) {
      const Key = toItem(webhookKeys.delivery(owner, webhookId, deliveryId));
      const { Item } = await dynamo.send(
        new GetItemCommand({ TableName: tables.webhooks, Key, ConsistentRead: true }),
      );
      return (
        Item && { ...parseStored(queuedDelivery, unmarshall(Item)), expiresAt: unmarshall(Item)['expiresAt'] }
      );
    },
    /** Ids of the deliveries in a webhook's due entries, soonest first. */
    async due({ _id }: Pick<StoredWebhook, '_id'>): Promise<string[]> {
      const entries = tableOf(webhooksTable, dynamo, tables.webhooks).query(itemKey, dueEntries(owner, _id), {
        consistent: true,
      });
      return (await collect(entries)).map((entry) => readDueEntry(entry).deliveryId);
    },
    async drainItem({ _id: webhookId }: Pick<StoredWebhook, '_id'>) {
      const Key = toItem(drainKey({ owner, webhookId }));
      const { Item } = await dynamo.send(
        new GetItemCommand({ TableName: tables.webhooks, Key, ConsistentRead: true }),
      );
      return Item && parseStored(storedDrain, unmarshall(Item));
    },
    /** Stores deliveries made a second apart. */
    async deliveries({ _id: webhookId }: StoredWebhook, each: readonly Partial<QueuedDelivery>[]) {
      const all = each.map((given, index): QueuedDelivery => {
        const at = new Date(start + index * 1_000).toISOString();
        return {
          _id: derivedObjectId(webhookId, String(index)),
          webhookId,
          eventId: randomUUID(),
          webhookType: 'CONTRACT_SIGNED',
          status: 'succeeded',
          attempts: [],
          nextAttemptAt: null,
          createdAt: at,
          updatedAt: at,
          event: { entityId: webhookId, sequence: 1 },
          attempt: 2,
          retry: 1,
          ...given,
        };
      });
      for (let from = 0; from < all.length; from += 25) {
        const put = all.slice(from, from + 25).map((one) => ({
          PutRequest: { Item: toItem(deliveryItem(owner, one)) },
        }));
        await dynamo.send(new BatchWriteItemCommand({ RequestItems: { [tables.webhooks]: put } }));
      }
      return all;
    },
  };
}

export const span = (from: number, to: number) => ({
  since: new Date(start + from * 1_000).toISOString(),
  until: new Date(start + to * 1_000).toISOString(),
});
