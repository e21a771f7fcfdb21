import * as fc from 'fast-check';
import { type DeliverDeps, deliver } from '../../functions/webhook-delivery/deliver.ts';
import type { DeliveryQueues } from '../../shared/webhooks/delivery-queues.ts';
import { newContext, replies, visibilityMs } from '../support/webhook-delivery-tests.ts';

describe('after a crash at any point the message is redelivered and the event delivered', () => {
  const steps = ['look', 'begin', 'event', 'exchange', 'send', 'record'] as const;
  const cases = steps.flatMap((step) =>
    (['before', 'after'] as const).flatMap((when) => [1, 2].map((time) => ({ step, when, time }))),
  );

  test.each(cases)('crash $when $step, call $time', async ({ step, when, time }) => {
    const context = newContext();
    const path = `/crash/${step}/${when}/${time}`;
    replies.set(path, (count) => (count === 1 ? 500 : 200));
    const webhook = await context.webhook(path);
    const event = await context.event();
    await context.fanOut(event);

    let left = time;
    const crashing =
      <Arguments extends unknown[], Result>(name: string, work: (...given: Arguments) => Promise<Result>) =>
      async (...given: Arguments): Promise<Result> => {
        if (name === step) left -= 1;
        const now = name === step && left === 0;
        if (now && when === 'before') throw new Error('crashed');
        const result = await work(...given);
        if (now) throw new Error('crashed');
        return result;
      };
    const { store, exchange, queues } = context.deps;
    await context.drain({
      exchange: crashing('exchange', exchange),
      queues: { send: crashing('send', queues.send) },
      store: {
        ...store,
        look: crashing('look', store.look),
        begin: crashing('begin', store.begin),
        event: crashing('event', store.event),
        record: crashing('record', store.record),
      },
    });
    const delivery = await context.delivery(event.eventId, webhook);
    expect(delivery).toMatchObject({ status: 'succeeded', nextAttemptAt: null });
    expect(delivery?.attempts.at(-1)).toMatchObject({ statusCode: 200 });
    expect(delivery?.attempts.length).toBeLessThanOrEqual(3);
  });
});

test('every event is delivered despite crashes, duplicates, and redeliveries (property)', async () => {
  const run = async (seed: number): Promise<void> => {
    const random = seededRandom(seed);
    const context = newContext();
    const path = (index: number) => `/random/${context.owner}/${index}`;
    const made = await Promise.all([0, 1].map((index) => context.webhook(path(index))));
    for (const index of [0, 1]) replies.set(path(index), (time) => (time <= 3 && random() < 0.5 ? 503 : 200));
    let crashes = 25;
    const unreliable =
      <Arguments extends unknown[], Result>(work: (...given: Arguments) => Promise<Result>) =>
      async (...given: Arguments): Promise<Result> => {
        const crash = () => {
          if (crashes > 0 && random() < 0.15) {
            crashes -= 1;
            throw new Error('crashed');
          }
        };
        crash();
        const result = await work(...given);
        crash();
        return result;
      };
    const { store, exchange } = context.deps;
    const queues: DeliveryQueues = {
      send: unreliable(async (messages) => {
        await context.memory.queues.send(messages);
        if (random() < 0.1) await context.memory.queues.send(messages);
      }),
    };
    const deps: DeliverDeps = {
      ...context.deps,
      exchange: unreliable(exchange),
      queues,
      store: {
        ...store,
        look: unreliable(store.look),
        begin: unreliable(store.begin),
        event: unreliable(store.event),
        record: unreliable(store.record),
      },
    };

    const events = await Promise.all([0, 1, 2].map(() => context.event()));
    for (const event of events) {
      // The queue redelivers the bus's message until it is done.
      for (let isDone = false; !isDone; ) isDone = await context.fanOut(event, queues).then(isTrue, isFalse);
    }
    let rounds = 0;
    for (let next = context.memory.take(); next !== undefined; next = context.memory.take()) {
      rounds += 1;
      if (rounds > 500) throw new Error(`The queues are never empty with seed ${seed}.`);
      context.advance(Math.max(0, next.visibleAt - context.now().getTime()));
      const due = context.now().getTime();
      const batch = [next, context.memory.take({ dueBy: due }), context.memory.take({ dueBy: due })];
      await Promise.all(
        batch.map(async (one) => {
          if (one === undefined) return;
          const isDone = await deliver({ message: one.message }, deps).then(isTrue, isFalse);
          if (!isDone) context.memory.waiting.push({ ...one, visibleAt: due + visibilityMs });
        }),
      );
      const [event, webhook] = [events[0], made[0]];
      if (rounds === 5 && event && webhook) await context.redeliver(event.eventId, webhook);
    }
    for (const event of events) {
      for (const [index, webhook] of made.entries()) {
        expect(await context.delivery(event.eventId, webhook)).toMatchObject({ status: 'succeeded' });
        const arrived = context
          .got(path(index))
          .filter(({ headers }) => headers['webhook-id'] === event.eventId);
        expect(arrived.length).toBeGreaterThan(0);
      }
    }
  };
  await fc.assert(fc.asyncProperty(fc.nat(), run), { numRuns: 6, endOnFailure: true });
}, 120_000);

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;

/** Random numbers from 0 to 1, determined by the seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
