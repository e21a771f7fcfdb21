import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { drain } from '../../functions/webhook-delivery/drain.ts';
import type { Outgoing } from '../../functions/webhook-delivery/exchange.ts';
import { createLeaseStore } from '../../functions/webhook-delivery/lease-store.ts';
import { createDeliveryStore } from '../../functions/webhook-delivery/store.ts';
import { eventOf } from '../../shared/domain/events/event.ts';
import { webhookTypes } from '../../shared/domain/events/payloads.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { drainKey, drainWithinSeconds } from '../../shared/domain/webhooks/drain-item.ts';
import { failingAfter } from '../../shared/domain/webhooks/health.ts';
import type { StoredWebhook } from '../../shared/domain/webhooks/stored.ts';
import { webhooksTable } from '../../shared/domain/webhooks/table.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { webhookSecrets } from '../support/deliveries.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { noDestination } from '../support/roles.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';
import { day, newCarrier, routes, span, start, tables } from '../support/webhooks-tests.ts';

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
    await drain(
      { message: next.message },
      {
        leases: createLeaseStore(tableOf(webhooksTable, dynamo, tables.webhooks)),
        store: createDeliveryStore(tablesOf(dynamo, tables)),
        queues: carrier.memory.queues,
        secrets: webhookSecrets,
        connect: () => ({
          exchange: async (outgoing) => {
            posted.push(outgoing);
            return { statusCode: 204, durationMs: 1, error: null, responseBody: '', retryAfter: null };
          },
          close: () => undefined,
        }),
        now: carrier.now,
        random: Math.random,
        sendToDestination: noDestination,
        log: recordingLogger(),
      },
    );
    const event = JSON.parse(posted[0]?.body ?? '');
    expect(event).toEqual(z.parse(eventOf(webhookType), event));
    expect(event).toMatchObject({
      eventId: data['eventId'],
      upstreamEntityId: carrier.owner,
      sequence: 1,
      isTest: true,
    });
    expect(await carrier.storedDelivery(webhook._id, String(data['_id']))).toMatchObject({
      status: 'succeeded',
    });
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
    expect(await carrier.due(webhook)).toEqual([again.data['_id']]);
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

  it('is left to the schedule while the queue is unavailable', async () => {
    const carrier = newCarrier(() => true);
    const webhook = await carrier.webhook();
    const [delivery] = await carrier.deliveries(webhook, [{}]);
    for (const [, ask] of asked(carrier, webhook, delivery?._id ?? '')) {
      expect((await ask()).status).toBe(202);
      expect(carrier.memory.waiting).toEqual([]);
    }
    expect(await carrier.due(webhook)).toContain(delivery?._id);
    expect((await carrier.drainItem(webhook))?.nextDrainAt).toBe(
      new Date(carrier.now().getTime() + drainWithinSeconds * 1_000).toISOString(),
    );
  });
});

it.each([
  ['a new URL', { url: 'https://example.com/other' }],
  ['enabling it again', { isActive: true }],
])('%s resets a webhook’s health, and what rested is looked at', async (_, body) => {
  const carrier = newCarrier();
  const webhook = await carrier.webhook({ isActive: false, disabledReason: 'x' });
  const restUntil = new Date(start + 20 * day).toISOString();
  const health = { failures: failingAfter, firstFailureAt: new Date(start).toISOString(), restUntil };
  const Item = toItem({ ...drainKey({ owner: carrier.owner, webhookId: webhook._id }), ...health });
  await dynamo.send(new PutItemCommand({ TableName: tables.webhooks, Item }));
  await carrier.ask(routes.updateWebhook, { params: { webhookId: webhook._id }, body });
  const stored = await carrier.drainItem(webhook);
  expect(stored).toMatchObject({ wantedAt: carrier.now().toISOString() });
  for (const name of Object.keys(health)) expect(stored).not.toHaveProperty(name);
  expect(carrier.memory.waiting).toEqual([
    {
      message: { owner: carrier.owner, webhookId: webhook._id, queue: 'healthy' },
      visibleAt: carrier.now().getTime(),
    },
  ]);
});

it('a deleted webhook is looked at, which removes its due entries', async () => {
  const carrier = newCarrier();
  const webhook = await carrier.webhook();
  await carrier.test(webhook);
  await carrier.ask(routes.deleteWebhook, { params: { webhookId: webhook._id } });
  expect((await carrier.drainItem(webhook))?.nextDrainAt).toBeDefined();
});
