// Shared by the tests of webhooks. Each file that imports it gets its own tables before its first test.

import { randomUUID } from 'node:crypto';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { createWebhooksFunction } from '../../functions/webhooks/function.ts';
import { webhookRoutes } from '../../functions/webhooks/routes.ts';
import { createWebhookStore, type WebhookStore } from '../../functions/webhooks/store.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { createWebhookSecrets } from '../../shared/domain/webhooks/secrets.ts';
import {
  deliveryItem,
  type StoredDelivery,
  webhookKeys,
  storedWebhook as webhookSchema,
} from '../../shared/domain/webhooks/stored.ts';
import { webhooksTable } from '../../shared/domain/webhooks/table.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { derivedObjectId, newObjectId } from '../../shared/platform/data/object-id.ts';
import { parseStored } from '../../shared/platform/data/stored.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import type { Pipeline } from '../../shared/platform/request/pipeline.ts';
import { idempotencyTable, rateCountersTable } from '../../shared/platform/request/tables.ts';
import { apiEvent, lambdaContext } from './api-event.ts';
import { testContext } from './context.ts';
import { memoryDataKeys } from './data-keys.ts';
import { memoryQueues } from './deliveries.ts';
import { memoryRoles } from './roles.ts';
import { createTable, dynamo } from './tables.ts';

export const { routes } = webhookRoutes;
export const hour = 3_600_000;

let pipeline: Pipeline;
let table: string;
export let outbox: string;
const dataKeys = memoryDataKeys();
export let webhooks: WebhookStore;
export let time = Date.UTC(2026, 5, 1);

/** Moves the clock of these tests forward. */
export function advanceClock(ms: number): void {
  time += ms;
}

const memory = memoryQueues(() => new Date(time));
export const roles = memoryRoles();

beforeAll(async () => {
  const [webhooksName, outboxName, idempotency, rateCounters] = await Promise.all([
    createTable(webhooksTable),
    createTable(outboxTable),
    createTable(idempotencyTable),
    createTable(rateCountersTable),
  ]);
  table = webhooksName;
  outbox = outboxName;
  webhooks = createWebhookStore(tableOf(webhooksTable, dynamo, table));
  pipeline = createWebhooksFunction({
    clients: { dynamo, queues: memory.queues, dataKeys, roles: roles.roles },
    tables: { webhooks: table, outbox, idempotency, rateCounters },
    addressRules: { loopback: false },
    context: testContext({ now: () => new Date(time) }),
  });
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

type Options = NonNullable<Parameters<typeof apiEvent>[1]>;

/** A new carrier, and the operations it calls. */
export function newCarrier() {
  const organizationId = newObjectId(new Date(time));
  const ask = async (route: Parameters<typeof apiEvent>[0], options: Options = {}): Promise<Answer> => {
    // Each call has its own credential, so that the tests do not reach the write limit.
    const identity = { organizationId, category: 'upstreamEntity' as const, credentialId: randomUUID() };
    const answer = await pipeline(apiEvent(route, { identity, ...options }), lambdaContext);
    const { status, headers } = answer;
    let text = '';
    if (typeof answer.body === 'string') text = answer.body;
    else for await (const part of answer.body) text += part;
    const { data = {} } = JSON.parse(text) as { data?: Record<string, unknown> };
    return { status, headers, text, data };
  };
  const of = (webhookId: string) => ({ params: { webhookId } });
  return {
    organizationId,
    ask,
    create: (body: object = {}, options: Options = {}) =>
      ask(routes.createWebhook, {
        body: { url: 'https://example.com/hooks', types: ['CONTRACT_SIGNED'], ...body },
        ...options,
      }),
    created: async (body: object = {}) => {
      const { data } = await ask(routes.createWebhook, {
        body: { url: 'https://example.com/hooks', types: ['CONTRACT_SIGNED'], ...body },
      });
      return { webhookId: String(data['_id']), secret: String(data['secret']) };
    },
    get: (webhookId: string) => ask(routes.getWebhook, of(webhookId)),
    update: (webhookId: string, body: object) => ask(routes.updateWebhook, { ...of(webhookId), body }),
    rotate: (webhookId: string) => ask(routes.rotateWebhookSecret, of(webhookId)),
    delete: (webhookId: string) => ask(routes.deleteWebhook, of(webhookId)),
    listed: async (route: Parameters<typeof apiEvent>[0] = routes.listWebhooks) => {
      const { data } = await ask(route);
      return data as unknown as Record<string, unknown>[];
    },
  };
}

/** A webhook's item, with its secrets as they are once decrypted. */
export const storedWebhook = async (owner: string, webhookId: string) => {
  const Key = toItem(webhookKeys.webhook(owner, webhookId));
  const { Item } = await dynamo.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
  if (Item === undefined) return undefined;
  const stored = parseStored(webhookSchema, unmarshall(Item));
  const secrets = createWebhookSecrets(dataKeys, () => new Date(time));
  return { ...stored, ...(await secrets.reveal(stored)) };
};

/** Stores deliveries of a webhook, made a second apart. */
export const putDeliveries = async (
  owner: string,
  webhookId: string,
  count: number,
): Promise<StoredDelivery[]> => {
  const deliveries = Array.from({ length: count }, (_, index): StoredDelivery => {
    const createdAt = new Date(time + index * 1_000).toISOString();
    return {
      _id: derivedObjectId(webhookId, String(index)),
      webhookId,
      eventId: randomUUID(),
      webhookType: 'CONTRACT_SIGNED',
      status: 'pending',
      attempts: [],
      nextAttemptAt: createdAt,
      createdAt,
      updatedAt: createdAt,
    };
  });
  for (const delivery of deliveries) {
    const queued = { ...delivery, event: { entityId: webhookId, sequence: 1 }, attempt: 1, retry: 0 };
    const Item = toItem(deliveryItem(owner, queued));
    await dynamo.send(new PutItemCommand({ TableName: table, Item }));
  }
  return deliveries;
};
