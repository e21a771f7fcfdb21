import { type DeliverDeps, deliver } from '../../functions/webhook-delivery/deliver.ts';
import { holdSeconds } from '../../functions/webhook-delivery/store.ts';
import { until } from '../support/until.ts';
import { newContext, outcomes, replies } from '../support/webhook-delivery-tests.ts';

describe('concurrently', () => {
  test('several messages of one attempt make one attempt', async () => {
    const context = newContext();
    const webhook = await context.webhook('/once/same');
    const event = await context.event();
    await context.fanOut(event);
    const next = context.memory.take();
    if (next === undefined) throw new Error('No message.');
    await Promise.all(Array.from({ length: 8 }, () => deliver({ message: next.message }, context.deps)));
    await context.drain();
    expect(context.got('/once/same')).toHaveLength(1);
    expect((await context.delivery(event.eventId, webhook))?.attempts).toHaveLength(1);
  });

  test('a redelivery requested during an attempt is kept, and the attempt is recorded', async () => {
    const context = newContext();
    const webhook = await context.webhook('/once/redelivered');
    const event = await context.event();
    await context.fanOut(event);
    replies.set('/once/redelivered', async (time) => {
      if (time === 1) await context.redeliver(event.eventId, webhook);
      return 200;
    });
    const [first] = context.memory.waiting.splice(0);
    if (first === undefined) throw new Error('No message.');
    await deliver({ message: first.message }, context.deps);
    expect(await context.delivery(event.eventId, webhook)).toMatchObject({
      status: 'pending',
      attempt: 2,
      attempts: [{ statusCode: 200 }],
    });
    await context.drain();
    expect(await context.delivery(event.eventId, webhook)).toMatchObject({
      status: 'succeeded',
      attempts: [{ statusCode: 200 }, { statusCode: 200 }],
    });
  });

  test('a webhook holds at most three fast slots and two slow ones', async () => {
    const context = newContext();
    const webhook = await context.webhook('/once/slots');
    let under = 0;
    let most = 0;
    let left = 0;
    const ok = { statusCode: 200, error: null, durationMs: 1, responseBody: '', retryAfter: null };
    // No attempt ends before every other message was put back, which shows that no slot is free.
    const exchange: DeliverDeps['exchange'] = async () => {
      under += 1;
      most = Math.max(most, under);
      await until(() => under + context.memory.waiting.length >= left);
      left -= 1;
      under -= 1;
      return ok;
    };
    const events = await Promise.all(Array.from({ length: 12 }, () => context.event()));
    for (const [lane, limit] of [
      ['fast', 3],
      ['slow', 2],
    ] as const) {
      most = 0;
      left = 6;
      const some = events.splice(0, 6);
      for (const event of some) await context.fanOut(event);
      const messages = context.memory.waiting.splice(0).map(({ message }) => ({ ...message, lane }));
      await Promise.all(messages.map((message) => deliver({ message }, { ...context.deps, exchange })));
      expect(most).toBe(limit);
      expect(context.memory.waiting).toHaveLength(6 - limit);
      await context.drain({ exchange: async () => ok });
      for (const { eventId } of some) {
        expect(await context.delivery(eventId, webhook)).toMatchObject({ status: 'succeeded' });
      }
    }
    expect(await context.health(webhook)).toEqual({ isFailing: false });
  });

  test('after a failure a fast message makes no attempt and moves to the slow queue', async () => {
    const context = newContext();
    replies.set('/once/moved', (time) => (time === 1 ? 500 : 200));
    await context.webhook('/once/moved');
    for (const event of [await context.event(), await context.event()]) await context.fanOut(event);
    await context.drain();
    expect(outcomes(context).slice(0, 2)).toEqual(['retried', 'moved_to_slow']);
    expect(context.got('/once/moved')).toHaveLength(3);
  });

  test('the slot of a crashed worker is free again once its hold expires', async () => {
    const context = newContext();
    const webhook = await context.webhook('/once/hold');
    const crashing: DeliverDeps['exchange'] = () => Promise.reject(new Error('crashed'));
    for (let time = 0; time < 3; time += 1) {
      await context.fanOut(await context.event());
      const next = context.memory.take();
      if (next === undefined) throw new Error('No message.');
      await expect(
        deliver({ message: next.message }, { ...context.deps, exchange: crashing }),
      ).rejects.toThrow();
    }
    const event = await context.event();
    await context.fanOut(event);
    const before = context.now().getTime();
    await context.drain();
    expect(await context.delivery(event.eventId, webhook)).toMatchObject({ status: 'succeeded' });
    expect(context.now().getTime() - before).toBeGreaterThanOrEqual(holdSeconds * 1_000);
    expect(context.now().getTime() - before).toBeLessThan(holdSeconds * 2_000);
  });
});
