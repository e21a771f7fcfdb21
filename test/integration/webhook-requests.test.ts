import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { eventOf, webhookTypes } from '#domain/events/payloads.ts';
import { drainKey, drainWithinSeconds, readDueEntry, wantedForSeconds } from '#domain/webhooks/drain.ts';
import type { DrainQueues } from '#domain/webhooks/drain-queues.ts';
import { rememberedAttempts } from '#domain/webhooks/schedule.ts';
import { deliveryIdOf, failingAfter, type StoredWebhook, webhookKeys } from '#domain/webhooks/stored.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { withFaults } from '../support/faults.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';
import { day, newCarrier, newContext, routes, span, start, tables } from '../support/webhooks-tests.ts';

describe('webhook requests', () => {
  describe('a test delivery', () => {
    it.each(webhookTypes)('of %s is of an example that matches the type’s schema', async (webhookType) => {
      const carrier = newCarrier();
      const webhook = await carrier.webhook({ types: ['CONTRACT_SIGNED'] });
      const { status, data } = await carrier.test(webhook, { webhookType });
      expect(status).toBe(202);
      expect(data).toMatchObject({ webhookId: webhook._id, webhookType, status: 'pending', attempts: [] });
      const { event } = (await carrier.storedDelivery(webhook._id, String(data['_id']))) ?? {};
      const example = event !== undefined && 'inline' in event ? event.inline : undefined;
      expect(example).toEqual(z.parse(eventOf(webhookType), example));
      expect(example).toMatchObject({
        eventId: data['eventId'],
        upstreamEntityId: carrier.owner,
        sequence: 1,
        isTest: true,
      });
      expect(carrier.memory.waiting).toHaveLength(1);
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
  ])('%s resets a webhook’s health, and what backed off is checked', async (_, body) => {
    const carrier = newCarrier();
    const webhook = await carrier.webhook({ isActive: false, disabledReason: 'x' });
    const backOffUntil = new Date(start + 20 * day).toISOString();
    const health = { failures: failingAfter, firstFailureAt: new Date(start).toISOString(), backOffUntil };
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
});

describe('webhook recording', () => {
  const together = 6;

  /** A webhook with events that wait; its receiver answers each when all are under way, and `during` has happened. */
  async function newWaiting(during: (eventId: string) => Promise<void> = async () => undefined) {
    const context = newContext();
    const webhook = await context.webhook('/together');
    const events = await Promise.all(Array.from({ length: together }, () => context.event()));
    await context.fanOut(events);
    const made: string[] = [];
    let release = (): void => undefined;
    const allUnderWay = new Promise<void>((resolve) => {
      release = resolve;
    });
    const exchange = async ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => {
      const eventId = headers['webhook-id'] ?? '';
      made.push(eventId);
      await during(eventId);
      if (made.length === together) release();
      await allUnderWay;
      return { statusCode: 200, error: null, durationMs: 1, responseBody: '', retryAfter: null };
    };
    const connect = () => ({ exchange, close: () => undefined });
    return { context, webhook, events, made, work: () => context.workOnce({ connect }), connect };
  }

  type Waiting = Awaited<ReturnType<typeof newWaiting>>;

  /** The calls that some work makes of the database, by command. */
  async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
    const commands: string[] = [];
    await withFaults((command) => {
      commands.push(command);
      return 'none';
    }, work);
    return commands;
  }

  /** Every event was attempted once, and its attempt is recorded. */
  async function expectEachOnce({ context, webhook, events, made }: Waiting): Promise<void> {
    expect(made.toSorted()).toEqual(events.map(({ eventId }) => eventId).sort());
    for (const { eventId } of events) {
      expect(await context.delivery(eventId, webhook)).toMatchObject({
        status: 'succeeded',
        nextAttemptAt: null,
        attempt: 2,
        attempts: [{ statusCode: 200 }],
      });
    }
    expect(await context.entries(webhook)).toEqual([]);
    expect(await context.drainItem(webhook)).not.toHaveProperty('nextDrainAt');
  }

  test('attempts that are over together are recorded in one call', async () => {
    const waiting = await newWaiting();
    const commands = await commandsOf(waiting.work);
    expect(commands.filter((command) => command === 'BatchExecuteStatementCommand')).toHaveLength(1);
    // Of the lease: it is taken and given back.
    expect(commands.filter((command) => command === 'UpdateItemCommand')).toHaveLength(2);
    await expectEachOnce(waiting);
  });

  test('each has a condition of its own: a redelivery requested meanwhile is kept', async () => {
    let isFirst = true;
    const waiting = await newWaiting(async (eventId) => {
      if (!isFirst) return;
      isFirst = false;
      await waiting.context.redeliver(eventId, waiting.webhook);
    });
    const { context, webhook, events, made, work, connect } = waiting;
    await work();
    await context.drain({ connect });
    const [redelivered = ''] = made;
    expect(made).toHaveLength(together + 1);
    expect(made.filter((eventId) => eventId === redelivered)).toHaveLength(2);
    for (const { eventId } of events) {
      const isTwice = eventId === redelivered;
      expect(await context.delivery(eventId, webhook)).toMatchObject({
        status: 'succeeded',
        attempt: isTwice ? 3 : 2,
        attempts: isTwice ? [{ statusCode: 200 }, { statusCode: 200 }] : [{ statusCode: 200 }],
      });
    }
  });

  test('a full log loses its oldest attempt', async () => {
    const { context, webhook, events, work } = await newWaiting();
    const [{ eventId } = { eventId: '' }] = events;
    const old = (index: number) => ({
      attemptedAt: new Date(index).toISOString(),
      statusCode: 500,
      durationMs: index,
      error: null,
      responseBody: '',
    });
    const attempts = Array.from({ length: rememberedAttempts }, (_, index) => old(index));
    await dynamo.send(
      new UpdateItemCommand({
        TableName: tables.webhooks,
        Key: toItem(webhookKeys.delivery(context.owner, webhook._id, deliveryIdOf(eventId, webhook._id))),
        UpdateExpression: 'SET attempts = :attempts',
        ExpressionAttributeValues: toItem({ ':attempts': attempts }),
      }),
    );
    await work();
    const logged = (await context.delivery(eventId, webhook))?.attempts ?? [];
    expect(logged).toHaveLength(rememberedAttempts);
    expect(logged.slice(0, -1)).toEqual(attempts.slice(1));
    expect(logged.at(-1)).toMatchObject({ statusCode: 200 });
  });

  test.each(['before', 'after'] as const)(
    'a call that breaks off %s it took effect loses no attempt, and repeats none',
    async (fault) => {
      const waiting = await newWaiting();
      await withFaults(
        (command) => (command === 'BatchExecuteStatementCommand' ? fault : 'none'),
        waiting.work,
      );
      await expectEachOnce(waiting);
    },
  );
});

describe('fan-out', () => {
  test('stores a delivery for each subscribed webhook, with a due entry and a message for each active one', async () => {
    const context = newContext();
    const active = await context.webhook('/fan/active');
    const disabled = await context.webhook('/fan/disabled', { isActive: false, disabledReason: 'x' });
    const other = await context.webhook('/fan/other', { types: ['DOCUMENT_UPLOADED'] });
    const event = await context.event();
    const { inSequence } = await databaseCalls(() => context.fanOut(event));
    // Read the webhooks; write the deliveries, then their entries; read who drains them, and write that they are wanted.
    expect(inSequence).toBe(5);
    expect(await context.delivery(event.eventId, active)).toMatchObject({
      status: 'pending',
      nextAttemptAt: context.now().toISOString(),
      event: { entityId: event.entityId, sequence: event.sequence },
    });
    expect(await context.delivery(event.eventId, disabled)).toMatchObject({
      status: 'pending',
      nextAttemptAt: null,
    });
    expect(await context.delivery(event.eventId, other)).toBeUndefined();
    const entries = await context.entries(active);
    expect(entries.map(({ pk, sk }) => readDueEntry({ pk: String(pk), sk: String(sk) }))).toEqual([
      {
        dueAt: context.now().toISOString(),
        deliveryId: deliveryIdOf(event.eventId, active._id),
        attempt: 1,
      },
    ]);
    expect(await context.entries(disabled)).toEqual([]);
    expect(context.memory.waiting.map(({ message }) => message)).toEqual([
      { owner: context.owner, webhookId: active._id, queue: 'healthy' },
    ]);
  });

  test('sends one message for a batch, and none while one is on its way', async () => {
    const context = newContext();
    const webhook = await context.webhook('/fan/batch');
    const newEvents = () => Promise.all([context.event(), context.event(), context.event()]);
    await context.fanOut(await newEvents());
    expect(context.memory.waiting).toHaveLength(1);
    const { calls } = await databaseCalls(async () => context.fanOut(await context.event()));
    expect(context.memory.waiting).toHaveLength(1);
    expect(calls).not.toContain('UpdateItemCommand');
    context.advance(wantedForSeconds * 1_000);
    await context.fanOut(await context.event());
    expect(context.memory.waiting).toHaveLength(2);
    await context.drain();
    expect(await context.entries(webhook)).toEqual([]);
    expect(context.got('/fan/batch')).toHaveLength(5);
  });

  test('is made up for by the schedule if the queue does not take the message', async () => {
    const context = newContext();
    const webhook = await context.webhook('/fan/unsent');
    const broken: DrainQueues = { send: () => Promise.reject(new Error('no queue')) };
    const before = context.now().getTime();
    await expect(context.fanOut(await context.event(), broken)).rejects.toThrow('no queue');
    await context.drain();
    expect(await context.entries(webhook)).toEqual([]);
    expect(context.got('/fan/unsent')).toHaveLength(1);
    expect(context.now().getTime() - before).toBeLessThanOrEqual((drainWithinSeconds + 60) * 1_000);
  });

  test('delivers a duplicate event once', async () => {
    const context = newContext();
    const webhook = await context.webhook('/fan/twice');
    const event = await context.event();
    await Promise.all([context.fanOut(event), context.fanOut(event), context.fanOut(event)]);
    await context.drain();
    await context.fanOut(event);
    expect(context.memory.waiting).toEqual([]);
    expect(await context.entries(webhook)).toEqual([]);
    expect(context.got('/fan/twice')).toHaveLength(1);
    expect((await context.delivery(event.eventId, webhook))?.attempts).toHaveLength(1);
  });
});
