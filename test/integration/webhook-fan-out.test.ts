import { deliver } from '../../functions/webhook-delivery/deliver.ts';
import { deliveryIdOf } from '../../shared/webhooks/deliveries.ts';
import type { DeliveryQueues } from '../../shared/webhooks/delivery-queues.ts';
import { databaseCalls } from '../support/tables.ts';
import { newContext, replies } from '../support/webhook-delivery-tests.ts';

describe('fan-out', () => {
  test('stores a delivery for each subscribed webhook, and sends a message for each active one', async () => {
    const context = newContext();
    const active = await context.webhook('/fan/active');
    const disabled = await context.webhook('/fan/disabled', { isActive: false, disabledReason: 'x' });
    const other = await context.webhook('/fan/other', { types: ['DOCUMENT_UPLOADED'] });
    const event = await context.event();
    const { inSequence } = await databaseCalls(() => context.fanOut(event));
    expect(inSequence).toBe(2);
    expect(await context.delivery(event.eventId, active)).toMatchObject({
      status: 'pending',
      nextAttemptAt: context.now().toISOString(),
      event: { entityId: event.entityId },
    });
    expect(await context.delivery(event.eventId, disabled)).toMatchObject({
      status: 'pending',
      nextAttemptAt: null,
    });
    expect(await context.delivery(event.eventId, other)).toBeUndefined();
    expect(context.memory.waiting.map(({ message }) => message)).toEqual([
      {
        upstreamEntityId: context.owner,
        webhookId: active._id,
        deliveryId: deliveryIdOf(event.eventId, active._id),
        attempt: 1,
        lane: 'fast',
      },
    ]);
  });

  test('delivers a duplicate event once', async () => {
    const context = newContext();
    const webhook = await context.webhook('/fan/twice');
    const event = await context.event();
    await Promise.all([context.fanOut(event), context.fanOut(event), context.fanOut(event)]);
    await context.drain();
    await context.fanOut(event);
    expect(context.memory.waiting).toEqual([]);
    expect(context.got('/fan/twice')).toHaveLength(1);
    expect((await context.delivery(event.eventId, webhook))?.attempts).toHaveLength(1);
  });

  test('sends the message on redelivery after a crash between record and message', async () => {
    const context = newContext();
    await context.webhook('/fan/crash');
    const event = await context.event();
    const broken: DeliveryQueues = { send: () => Promise.reject(new Error('no queue')) };
    await expect(context.fanOut(event, broken)).rejects.toThrow('no queue');
    await context.fanOut(event);
    await context.drain();
    expect(context.got('/fan/crash')).toHaveLength(1);
  });

  test('sends an event to the slow queue if the webhook’s last attempt failed', async () => {
    const context = newContext();
    replies.set('/fan/failing', (time) => (time === 1 ? 500 : 200));
    const webhook = await context.webhook('/fan/failing');
    const first = await context.event();
    await context.fanOut(first);
    const message = context.memory.take()?.message;
    if (message === undefined) throw new Error('No message.');
    await deliver({ message }, context.deps);
    const second = await context.event();
    await context.fanOut(second);
    const lanes = context.memory.waiting.map((one) => [one.message.deliveryId, one.message.lane]);
    expect(lanes).toEqual([
      [deliveryIdOf(first.eventId, webhook._id), 'slow'],
      [deliveryIdOf(second.eventId, webhook._id), 'slow'],
    ]);
    await context.drain();
    expect(await context.health(webhook)).toEqual({ isFailing: false });
  });
});
