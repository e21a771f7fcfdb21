import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { deliver } from '../../functions/webhook-delivery/deliver.ts';
import type { Outgoing } from '../../functions/webhook-delivery/exchange.ts';
import { createDeliveryStore } from '../../functions/webhook-delivery/store.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { eventOf } from '../../shared/events/event.ts';
import { webhookTypes } from '../../shared/resources/webhook.ts';
import { healthKey } from '../../shared/webhooks/health.ts';
import type { StoredWebhook } from '../../shared/webhooks/stored.ts';
import { webhookSecrets } from '../support/deliveries.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';
import { newCarrier, routes, span, start, tables } from '../support/webhook-requests-tests.ts';

describe('a test delivery', () => {
  it.each(webhookTypes)('of %s delivers an example that matches the type’s schema', async (webhookType) => {
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
        secrets: webhookSecrets,
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

  it('uses the webhook’s first type by default', async () => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook({ types: ['DOCUMENT_UPLOADED', 'CONTRACT_SIGNED'] });
    expect((await carrier.test(webhook)).data['webhookType']).toBe('DOCUMENT_UPLOADED');
  });

  it('is executed once per idempotency key, in at most four database calls', async () => {
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

describe('a requested delivery', () => {
  const asked = (carrier: ReturnType<typeof newCarrier>, webhook: StoredWebhook, deliveryId: string) =>
    [
      ['a test', () => carrier.test(webhook)],
      ['a redelivery', () => carrier.redeliver(webhook, deliveryId)],
      ['a replay', () => carrier.replay(webhook, span(0, 5))],
    ] as const;

  it('is rejected for a disabled webhook with 409, for another organization’s with 404', async () => {
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

  it('is rejected with 503 and not stored while the queue is unavailable', async () => {
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

  it('is made a minute later if the queue accepts only the first of its messages', async () => {
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
  ['enabling it again', { isActive: true }],
])('%s resets a webhook’s health', async (_, body) => {
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
