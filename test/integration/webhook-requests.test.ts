import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { deliver } from '../../functions/webhook-delivery/deliver.ts';
import type { Outgoing } from '../../functions/webhook-delivery/exchange.ts';
import { createDeliveryStore } from '../../functions/webhook-delivery/store.ts';
import { mostReplayed } from '../../functions/webhooks/deliver-again.ts';
import { createWebhooksFunction } from '../../functions/webhooks/function.ts';
import { webhookRoutes } from '../../functions/webhooks/routes.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { derivedObjectId, newObjectId } from '../../shared/data/object-id.ts';
import { parseStored } from '../../shared/data/stored.ts';
import { idempotencyTable, outboxTable, rateCountersTable, webhooksTable } from '../../shared/data/tables.ts';
import { eventOf } from '../../shared/events/event.ts';
import { webhookTypes } from '../../shared/resources/webhook.ts';
import { type QueuedDelivery, queuedDelivery } from '../../shared/webhooks/deliveries.ts';
import type { DeliveryQueues } from '../../shared/webhooks/delivery-queues.ts';
import { healthKey } from '../../shared/webhooks/health.ts';
import { deliveryItem, type StoredWebhook, webhookKeys } from '../../shared/webhooks/stored.ts';
import { apiEvent, type EventOptions, lambdaContext } from '../support/api-event.ts';
import { testContext } from '../support/context.ts';
import { memoryQueues, putWebhook } from '../support/deliveries.ts';
import { withLostAnswer } from '../support/faults.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTable, databaseCalls, dynamo } from '../support/tables.ts';

const { routes } = webhookRoutes;
const day = 86_400_000;
const start = Date.UTC(2026, 5, 1);

let tables: Readonly<Record<'webhooks' | 'outbox' | 'idempotency' | 'rateCounters', string>>;

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

/** A carrier, its queues, and what it asks for at a time that stands. */
function newCarrier(broken: (sends: number) => boolean = () => false) {
  const owner = newObjectId(new Date());
  const now = () => new Date(start + 10 * day);
  const memory = memoryQueues(now);
  let sends = 0;
  const queues: DeliveryQueues = {
    async send(messages) {
      sends += 1;
      if (broken(sends)) throw new Error('The queue is away.');
      await memory.queues.send(messages);
    },
  };
  const pipeline = createWebhooksFunction({
    clients: { dynamo, queues },
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
      ask(routes.replayWebhookDeliveries, { params: { webhookId }, body, headers }),
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
    /** Puts deliveries that were made a second after each other. */
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
          event: { entityId: webhookId },
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

const span = (from: number, to: number) => ({
  since: new Date(start + from * 1_000).toISOString(),
  until: new Date(start + to * 1_000).toISOString(),
});

describe('a test', () => {
  it.each(webhookTypes)('of %s delivers an example that keeps to the type’s schema', async (webhookType) => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook({ types: ['CONTRACT_SIGNED'] });
    const { status, data } = await carrier.test(webhook, { webhookType });
    expect(status).toBe(202);
    expect(data).toMatchObject({ webhookId: webhook._id, webhookType, status: 'pending', attempts: [] });
    const posted: Outgoing[] = [];
    const next = carrier.memory.take();
    if (next === undefined) throw new Error('No message.');
    await deliver(
      { message: next.message },
      {
        store: createDeliveryStore(dynamo, tables),
        queues: carrier.memory.queues,
        exchange: async (outgoing) => {
          posted.push(outgoing);
          return { statusCode: 204, durationMs: 1, error: null, responseBody: '', retryAfter: null };
        },
        now: carrier.now,
        random: Math.random,
        log: recordingLogger(),
      },
    );
    const event = JSON.parse(posted[0]?.body ?? '');
    expect(event).toEqual(z.parse(eventOf(webhookType), event));
    expect(event).toMatchObject({ eventId: data['eventId'], upstreamEntityId: carrier.owner, sequence: 1 });
    expect(await carrier.delivery(webhook._id, String(data['_id']))).toMatchObject({ status: 'succeeded' });
  });

  it('takes the first of the webhook’s types unless told', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook({ types: ['DOCUMENT_UPLOADED', 'CONTRACT_SIGNED'] });
    expect((await carrier.test(webhook)).data['webhookType']).toBe('DOCUMENT_UPLOADED');
  });

  it('is one for an idempotency key, in at most four calls of the database', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const headers = { 'idempotency-key': randomUUID() };
    const { calls } = await databaseCalls(() => carrier.test(webhook, {}, headers));
    expect(calls).toHaveLength(4);
    const { waiting } = carrier.memory;
    const before = waiting.length;
    const again = await carrier.test(webhook, {}, headers);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(waiting).toHaveLength(before);
    expect(new Set(waiting.map(({ message }) => message.deliveryId))).toEqual(new Set([again.data['_id']]));
  });
});

describe('a redelivery', () => {
  it.each(['pending', 'succeeded', 'failed'] as const)(
    'of one that stands %s begins it anew',
    async (status) => {
      const carrier = newCarrier();
      const webhook = await carrier.webhook();
      const at = new Date(start).toISOString();
      const attempts = [{ attemptedAt: at, statusCode: 500, durationMs: 1, error: null, responseBody: '' }];
      const [delivery] = await carrier.deliveries(webhook, [{ status, attempts, retry: 9, attempt: 11 }]);
      const _id = delivery?._id ?? '';
      const { status: answer, data } = await carrier.redeliver(webhook, _id);
      expect(answer).toBe(202);
      const now = carrier.now().toISOString();
      expect(data).toMatchObject({ _id, status: 'pending', attempts, nextAttemptAt: now, updatedAt: now });
      expect(data).not.toHaveProperty('attempt');
      expect(await carrier.delivery(webhook._id, _id)).toMatchObject({
        attempt: 12,
        retry: 0,
        status: 'pending',
      });
      const messages = carrier.memory.waiting.map(({ message, visibleAt }) => [
        message.attempt,
        message.lane,
        (visibleAt - carrier.now().getTime()) / 1_000,
      ]);
      expect(messages).toEqual([
        [12, 'fast', 60],
        [12, 'fast', 0],
      ]);
    },
  );

  it('of an old one keeps it for as long as its retries take', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const old = new Date(carrier.now().getTime() - 29.9 * day).toISOString();
    const [delivery] = await carrier.deliveries(webhook, [{ createdAt: old }]);
    await carrier.redeliver(webhook, delivery?._id ?? '');
    const { expiresAt } = (await carrier.delivery(webhook._id, delivery?._id ?? '')) ?? {};
    expect(Number(expiresAt) * 1_000 - carrier.now().getTime()).toBeGreaterThan(76 * 3_600_000);
  });

  it('is each its own when several come at once', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const [delivery] = await carrier.deliveries(webhook, [{}]);
    const _id = delivery?._id ?? '';
    const answers = await Promise.all(Array.from({ length: 4 }, () => carrier.redeliver(webhook, _id)));
    const taken = answers.filter(({ status }) => status === 202).length;
    for (const { status, errorType } of answers) {
      if (status !== 202) expect([status, errorType]).toEqual([409, 'transient_transaction_error']);
    }
    const { attempt } = (await carrier.delivery(webhook._id, _id)) ?? {};
    expect(attempt).toBe(2 + taken);
    expect(carrier.memory.waiting.some(({ message }) => message.attempt === attempt)).toBe(true);
  });

  it('is one for an idempotency key, in at most four calls of the database', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const [delivery] = await carrier.deliveries(webhook, [{}]);
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () => carrier.redeliver(webhook, delivery?._id ?? '', headers);
    const { calls } = await databaseCalls(ask);
    expect(calls).toHaveLength(4);
    expect((await ask()).headers['idempotency-replayed']).toBe('true');
    expect(await carrier.delivery(webhook._id, delivery?._id ?? '')).toMatchObject({ attempt: 3 });
  });
});

describe('a replay', () => {
  it('counts a delivery that was written though its answer was lost', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    await carrier.deliveries(webhook, [{}]);
    const { data } = await withLostAnswer(() => carrier.replay(webhook, span(0, 5)));
    expect(data).toMatchObject({ queued: 1 });
  });

  it('takes the start of the time and not its end, and chooses by type and status', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const other = await carrier.webhook();
    await carrier.deliveries(other, [{}, {}]);
    const made = await carrier.deliveries(webhook, [
      {},
      { status: 'failed' },
      { status: 'failed', webhookType: 'DOCUMENT_UPLOADED' },
      { status: 'pending' },
      { status: 'failed' },
    ]);
    const ids = () => new Set(carrier.memory.waiting.splice(0).map(({ message }) => message.deliveryId));
    const idsOf = (...indexes: number[]) => new Set(indexes.map((index) => made[index]?._id));
    const replay = (body: object) => carrier.replay(webhook, body);

    expect(await replay(span(1, 4))).toMatchObject({
      status: 202,
      data: { queued: 3, hasMore: false, nextSince: null },
    });
    expect(ids()).toEqual(idsOf(1, 2, 3));
    expect((await replay({ ...span(0, 5), status: 'failed' })).data['queued']).toBe(1);
    expect(ids()).toEqual(idsOf(4));
    expect((await replay({ ...span(0, 5), types: ['DOCUMENT_UPLOADED'] })).data['queued']).toBe(1);
    expect(ids()).toEqual(idsOf(2));
    expect((await replay(span(10, 20))).data).toEqual({ queued: 0, hasMore: false, nextSince: null });
    expect(await carrier.delivery(webhook._id, made[1]?._id ?? '')).toMatchObject({
      status: 'pending',
      retry: 0,
      nextAttemptAt: carrier.now().toISOString(),
    });
  });

  it(`sets ${mostReplayed} going at most and says where to go on`, async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const made = await carrier.deliveries(
      webhook,
      Array.from({ length: mostReplayed + 5 }, () => ({})),
    );
    const { data } = await carrier.replay(webhook, span(0, 10_000));
    expect(data).toEqual({ queued: mostReplayed, hasMore: true, nextSince: made[mostReplayed]?.createdAt });
    const rest = await carrier.replay(webhook, { ...span(0, 10_000), since: data['nextSince'] });
    expect(rest.data).toEqual({ queued: 5, hasMore: false, nextSince: null });
    const asked = new Set(carrier.memory.waiting.map(({ message }) => message.deliveryId));
    expect(asked.size).toBe(made.length);
  }, 60_000);

  it('is one for an idempotency key', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook();
    const [delivery] = await carrier.deliveries(webhook, [{}]);
    const headers = { 'idempotency-key': randomUUID() };
    await carrier.replay(webhook, span(0, 5), headers);
    const again = await carrier.replay(webhook, span(0, 5), headers);
    expect(again).toMatchObject({ status: 202, data: { queued: 1 } });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await carrier.delivery(webhook._id, delivery?._id ?? '')).toMatchObject({ attempt: 3 });
  });
});

describe('what is asked for of a webhook', () => {
  const asked = (carrier: ReturnType<typeof newCarrier>, webhook: StoredWebhook, deliveryId: string) =>
    [
      ['a test', () => carrier.test(webhook)],
      ['a redelivery', () => carrier.redeliver(webhook, deliveryId)],
      ['a replay', () => carrier.replay(webhook, span(0, 5))],
    ] as const;

  it('that is disabled is refused with 409, and of another organization’s with 404', async () => {
    const [carrier, stranger] = [newCarrier(), newCarrier()];
    const webhook = await carrier.webhook({ isActive: false, disabledReason: 'x' });
    const [delivery] = await carrier.deliveries(webhook, [{}]);
    for (const [, ask] of asked(carrier, webhook, delivery?._id ?? '')) {
      expect(await ask()).toMatchObject({ status: 409, errorType: 'conflict' });
    }
    for (const [, ask] of asked(stranger, webhook, delivery?._id ?? '')) {
      expect(await ask()).toMatchObject({ status: 404, errorType: 'not_found' });
    }
    expect((await carrier.redeliver(await carrier.webhook(), delivery?._id ?? '')).status).toBe(404);
    expect([...carrier.memory.waiting, ...stranger.memory.waiting]).toEqual([]);
  });

  it('is refused with 503 and not written while the queue is away: 202 means that it said yes', async () => {
    const carrier = newCarrier(() => true);
    const webhook = await carrier.webhook();
    const [delivery] = await carrier.deliveries(webhook, [{}]);
    for (const [, ask] of asked(carrier, webhook, delivery?._id ?? '')) {
      expect(await ask()).toMatchObject({ status: 503, errorType: 'service_unavailable' });
    }
    expect(await carrier.delivery(webhook._id, delivery?._id ?? '')).toMatchObject({
      status: 'succeeded',
      attempt: 2,
    });
  });

  it('is delivered a minute later where the queue takes only the first of its messages', async () => {
    const carrier = newCarrier((sends) => sends === 2);
    const webhook = await carrier.webhook();
    const { status, data } = await carrier.test(webhook);
    expect(status).toBe(202);
    expect(carrier.memory.waiting).toEqual([
      {
        message: expect.objectContaining({ deliveryId: data['_id'], attempt: 1 }),
        visibleAt: carrier.now().getTime() + 60_000,
      },
    ]);
  });
});

it.each([
  ['a new URL', { url: 'https://example.com/other' }],
  ['being enabled again', { isActive: true }],
])('%s begins a webhook’s health anew', async (_, body) => {
  const carrier = newCarrier();
  const webhook = await carrier.webhook({ isActive: false, disabledReason: 'x' });
  const health = { isFailing: true, firstFailureAt: new Date(start).toISOString(), fastSlot1: 'held' };
  const Item = toItem({ ...healthKey(carrier.owner, webhook._id), ...health });
  await dynamo.send(
    new BatchWriteItemCommand({ RequestItems: { [tables.webhooks]: [{ PutRequest: { Item } }] } }),
  );
  await carrier.ask(routes.updateWebhook, { params: { webhookId: webhook._id }, body });
  const Key = toItem(healthKey(carrier.owner, webhook._id));
  const { Item: stored = {} } = await dynamo.send(new GetItemCommand({ TableName: tables.webhooks, Key }));
  expect(Object.keys(unmarshall(stored)).sort()).toEqual(['expiresAt', 'fastSlot1', 'pk', 'sk']);
});
