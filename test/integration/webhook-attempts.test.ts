import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { Webhook } from 'standardwebhooks';
import { outboxEvent, outboxKeys } from '#domain/events/stored.ts';
import { outboxTable } from '#domain/tables.ts';
import { retryDelays } from '#domain/webhooks/schedule.ts';
import { webhookKeys } from '#domain/webhooks/stored.ts';
import { collect } from '#platform/data/concurrently.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { tableOf } from '#platform/data/table.ts';
import { putWebhook, webhookSecret } from '../support/deliveries.ts';
import { withFaults } from '../support/faults.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';
import { hour, newContext, outcomes, replies, tables } from '../support/webhooks-tests.ts';

/** The events in the outbox that a webhook was disabled. */
const disabledIn = async (owner: string, webhookId: string) => {
  const pk = `${owner}#${webhookId}`;
  return collect(tableOf(outboxTable, dynamo, tables.outbox).query(outboxEvent, pk, { consistent: true }));
};

describe('an attempt', () => {
  test('posts the signed event and records the receiver’s response', async () => {
    const context = newContext();
    const webhook = await context.webhook('/attempt/signed');
    const event = await context.event();
    await context.fanOut(event);
    const { inSequence } = await databaseCalls(() => context.drain());
    // Take the lease; read the due entries, the delivery with its webhook, and the event; record the attempt, remove its
    // entry; give the lease back. The test's clock asks for the webhook's next look before and after.
    expect(inSequence).toBe(2 + 7);
    const [got] = context.got('/attempt/signed');
    const { entityId: _, ...body } = event;
    expect(got?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-webhook-id': webhook._id,
      'webhook-id': event.eventId,
    });
    const headers = Object.fromEntries(
      Object.entries(got?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(new Webhook(webhookSecret).verify(got?.body ?? '', headers)).toEqual(body);
    expect(Object.keys(JSON.parse(got?.body ?? '{}'))).toEqual([
      'eventId',
      'webhookType',
      'upstreamEntityId',
      'occurredAt',
      'sequence',
      'payload',
    ]);
    expect(await context.delivery(event.eventId, webhook)).toMatchObject({
      status: 'succeeded',
      nextAttemptAt: null,
      attempts: [
        { statusCode: 200, error: null, responseBody: 'answered 200', durationMs: expect.any(Number) },
      ],
    });
    expect(await context.entries(webhook)).toEqual([]);
    expect(Object.keys((await context.drainItem(webhook)) ?? {})).toEqual([]);
    // Of the address the host alone: a path may hold a secret of the receiver's.
    const { host, pathname } = new URL(webhook.url ?? '');
    const logged = JSON.stringify(context.log.lines).replaceAll(`"${host}"`, '');
    expect(logged).not.toMatch(new RegExp(`whsec_|127\\.0\\.0\\.1|${pathname}|17654321|answered`));
  });

  test('is retried on schedule with a new signature, and the delivery fails after the last', async () => {
    const context = newContext();
    replies.set('/attempt/500', () => 500);
    const webhook = await context.webhook('/attempt/500');
    const event = await context.event();
    await context.fanOut(event);
    const began = context.now().getTime();
    // One invocation for each attempt, and two to spare for a lease that is over.
    expect(await context.drain({}, 1_000)).toBeLessThanOrEqual(retryDelays.length + 1 + 2);
    const delivery = await context.delivery(event.eventId, webhook);
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null });
    const times = delivery?.attempts.map(({ attemptedAt }) => Date.parse(attemptedAt)) ?? [];
    expect(times).toHaveLength(retryDelays.length + 1);
    for (const [index, delay] of retryDelays.entries()) {
      const waited = (times[index + 1] ?? 0) - (times[index] ?? 0);
      expect(waited).toBeGreaterThanOrEqual(delay);
      // Beyond a minute the schedule finds it, which comes every minute.
      expect(waited).toBeLessThanOrEqual(delay * 1.1 + 62_000);
    }
    expect(context.now().getTime() - began).toBeGreaterThan(75 * hour);
    const stamps = context.got('/attempt/500').map(({ headers }) => headers['x-service-timestamp']);
    expect(new Set(stamps).size).toBe(stamps.length);
    const logged = context.log.lines.filter(({ event }) => event === 'webhook_delivery');
    const next = times.map((_, index) => (index < retryDelays.length ? expect.any(String) : null));
    expect(logged.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(next);
    const outcomes = times.map((_, index) => (index < retryDelays.length ? 'retried' : 'failed'));
    expect(logged.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect((await context.stored(webhook))?.isActive).toBe(true);
  });

  test('answered with 410 disables the webhook at once', async () => {
    const context = newContext();
    replies.set('/attempt/410', () => 410);
    const webhook = await context.webhook('/attempt/410');
    const event = await context.event();
    await context.fanOut(event);
    // A worker that cannot disable it leaves the attempt to another.
    const fault = (command: string) => (command === 'TransactWriteItemsCommand' ? 'before' : 'none');
    await expect(withFaults(fault, () => context.workOnce())).rejects.toThrow('broke off');
    await context.drain();
    expect(await context.stored(webhook))?.toMatchObject({
      isActive: false,
      disabledReason: 'The receiver responded with 410.',
      version: 2,
    });
    expect(await context.delivery(event.eventId, webhook)).toMatchObject({ status: 'failed' });
    expect(context.got('/attempt/410')).toHaveLength(2);
    expect(await disabledIn(context.owner, webhook._id)).toMatchObject([
      {
        upstreamEntityId: context.owner,
        payload: {
          webhookId: webhook._id,
          url: webhook.url,
          disabledReason: 'The receiver responded with 410.',
        },
      },
    ]);
  });

  test('does not disable a webhook that its owner changed meanwhile', async () => {
    const context = newContext();
    const webhook = await context.webhook('/attempt/changed');
    replies.set('/attempt/changed', async () => {
      await putWebhook(tables.webhooks, context.owner, { ...webhook, version: 2 });
      return 410;
    });
    const event = await context.event();
    await context.fanOut(event);
    await context.drain();
    expect(await context.stored(webhook))?.toMatchObject({ isActive: true, version: 2 });
    expect(context.log.lines).toContainEqual(expect.objectContaining({ statusCode: 410, disabled: false }));
    expect(await context.delivery(event.eventId, webhook)).toMatchObject({
      status: 'failed',
      attempts: [{ statusCode: 410 }],
    });
    expect(await disabledIn(context.owner, webhook._id)).toEqual([]);
  });

  test('that fails after five days of failures disables the webhook with a reason', async () => {
    const context = newContext();
    replies.set('/attempt/days', () => 500);
    const webhook = await context.webhook('/attempt/days');
    const first = await context.event();
    await context.fanOut(first);
    await context.drain({}, 1_000);
    context.advance(46 * hour);
    const second = await context.event();
    await context.fanOut(second);
    await context.drain({}, 1_000);
    expect(await context.stored(webhook))?.toMatchObject({
      isActive: false,
      disabledReason: 'Every attempt of the last 5 days failed.',
    });
    // Kept for a replay.
    expect(await context.delivery(second.eventId, webhook)).toMatchObject({
      status: 'pending',
      nextAttemptAt: null,
    });
    expect(await context.entries(webhook)).toEqual([]);
  });

  test('is not made for a disabled webhook, nor for a deleted one, whose delivery goes with it', async () => {
    const context = newContext();
    const disabled = await context.webhook('/attempt/disabled');
    const deleted = await context.webhook('/attempt/deleted');
    const event = await context.event();
    await context.fanOut(event);
    await putWebhook(tables.webhooks, context.owner, { ...disabled, isActive: false, version: 2 });
    const Key = toItem(webhookKeys.webhook(context.owner, deleted._id));
    await dynamo.send(new DeleteItemCommand({ TableName: tables.webhooks, Key }));
    await context.drain();
    expect(await context.delivery(event.eventId, disabled)).toMatchObject({
      status: 'pending',
      nextAttemptAt: null,
      attempts: [],
    });
    expect(await context.delivery(event.eventId, deleted)).toBeUndefined();
    for (const webhook of [disabled, deleted]) expect(await context.entries(webhook)).toEqual([]);
    expect(await context.drainItem(deleted)).toEqual({});
    expect(outcomes(context).sort()).toEqual(['webhook_deleted', 'webhook_disabled']);
    expect(context.got('/attempt/disabled')).toEqual([]);
  });

  test('is not made for an expired event', async () => {
    const context = newContext();
    const webhook = await context.webhook('/attempt/expired');
    const event = await context.event();
    await context.fanOut(event);
    const Key = toItem(outboxKeys.event(context.owner, event.entityId, event.eventId));
    await dynamo.send(new DeleteItemCommand({ TableName: tables.outbox, Key }));
    await context.drain();
    expect(await context.delivery(event.eventId, webhook)).toMatchObject({ status: 'failed' });
    expect(outcomes(context)).toEqual(['event_expired']);
    expect(await context.entries(webhook)).toEqual([]);
  });
});
