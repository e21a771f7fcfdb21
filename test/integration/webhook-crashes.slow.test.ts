import { drainWithinSeconds, nextDrainKey, nextDrainKeyOf } from '#domain/webhooks/drain.ts';
import { deliveryIdOf, type QueuedDelivery } from '#domain/webhooks/stored.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { createOverdueWebhooks, wakeOverdue } from '../../functions/webhook-delivery/check-due.ts';
import { type DrainDeps, drain } from '../../functions/webhook-delivery/drain.ts';
import type { Exchange } from '../../functions/webhook-delivery/exchange.ts';
import { leaseSeconds } from '../../functions/webhook-delivery/uses.ts';
import { mostReplayed } from '../../functions/webhooks/operations.ts';
import { dynamo } from '../support/tables.ts';
import { newCarrier, newContext, span, webhooksOf, workerParts } from '../support/webhooks-tests.ts';

describe('webhook overdue', () => {
  /** The id of a webhook whose look is in this shard. */
  function idIn(shard: number): string {
    for (;;) {
      const id = newObjectId(new Date());
      if (nextDrainKeyOf(id) === nextDrainKey(shard)) return id;
    }
  }

  /** Runs the schedule's task; answers the owners whose webhooks got a message. */
  async function wakeAll({ waker, now, log, memory }: ReturnType<typeof newContext>): Promise<string[]> {
    await wakeOverdue({
      webhooks: createOverdueWebhooks(webhooksOf()),
      waker,
      now,
      log,
    });
    return memory.waiting.splice(0).map(({ message: { owner } }) => owner);
  }

  test('the schedule finds the webhooks of every shard whose look is overdue, once', async () => {
    const context = newContext();
    // The first and the last shard, and those around what is read at once.
    const others = [0, 15, 16, 31, 32, 47, 48, 63].map((shard) => ({ ...newContext(), shard }));
    for (const other of others) {
      await other.webhook('/overdue', { _id: idIn(other.shard) });
      await other.fanOut(await other.event());
    }
    expect(await wakeAll(context)).toEqual([]);
    context.advance((drainWithinSeconds + 1) * 1_000);
    expect((await wakeAll(context)).sort()).toEqual(others.map(({ owner }) => owner).sort());
    expect(await wakeAll(context)).toEqual([]);
    context.advance(drainWithinSeconds * 1_000);
    expect(await wakeAll(context)).toHaveLength(others.length);
    for (const other of others) await other.drain();
    context.advance(86_400_000);
    expect(await wakeAll(context)).toEqual([]);
  });

  test('the schedule wakes no webhook that the index still shows under a time that has passed', async () => {
    const context = newContext();
    const stale = await context.webhook('/stale');
    await context.fanOut(await context.event());
    await context.drain();
    const webhooks = {
      async *overdue() {
        yield [{ owner: context.owner, webhookId: stale._id }];
      },
    };
    const { waker, now, log } = context;
    expect(await wakeOverdue({ webhooks, waker, now, log })).toEqual({ woken: 0 });
  });
});

describe('a replay', () => {
  it(`queues at most ${mostReplayed} deliveries and returns where to continue`, async () => {
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
    expect(new Set(await carrier.due(webhook)).size).toBe(made.length);
  });
});

describe('webhook lease', () => {
  /** What stops a machine: its calls that are under way take effect, and it hears of none of them. */
  class Crashed extends Error {}

  /** Runs every call of a machine to the database, a queue or a receiver; to stop the machine there, it throws. */
  type Gate = <Result>(call: () => Promise<Result>) => Promise<Result>;

  /** A worker outlives its lease in an attempt: meanwhile another one makes the attempt too, and stops at a call. */
  async function superseded(call: number) {
    const context = newContext();
    const { memory, now } = context;
    const webhook = await context.webhook('/');
    const event = await context.event();
    await context.fanOut(event);
    const message = memory.take()?.message;
    if (message === undefined) throw new Error('There is no message.');
    let received = 0;
    const receive: Exchange = async () => {
      received += 1;
      // Both fail, so that the attempt that is recorded leads to another one.
      const statusCode = received <= 2 ? 500 : 200;
      return { statusCode, error: null, durationMs: 1, responseBody: '', retryAfter: null };
    };
    const connecting = (exchange: Exchange) => ({
      connect: () => ({ exchange, close: () => undefined }),
    });
    const work = (gate: Gate) => {
      const send = (command: never) => gate(() => dynamo.send(command));
      const client = new Proxy(dynamo, {
        get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)),
      });
      const queues: typeof memory.queues = { send: (looks) => gate(() => memory.queues.send(looks)) };
      return drain(
        { message },
        {
          ...context.deps,
          ...workerParts(client, { queues, now }),
          ...connecting((outgoing) => gate(() => receive(outgoing))),
        },
      );
    };
    let calls = 0;
    const stopping: Gate = async (next) => {
      calls += 1;
      if (calls >= call) throw new Crashed();
      return next();
    };
    let isSuperseded = false;
    await work(async (next) => {
      const result = await next();
      if (!isSuperseded && received > 0) {
        isSuperseded = true;
        context.advance((leaseSeconds + 1) * 1_000);
        await work(stopping).catch((error: unknown) => {
          if (!(error instanceof Crashed)) throw error;
        });
      }
      return result;
    });
    await context.drain(connecting(receive));
    expect(isSuperseded).toBe(true);
    return {
      isStopped: calls >= call,
      entries: await context.entries(webhook),
      nextDrainAt: (await context.drainItem(webhook))?.nextDrainAt,
      status: (await context.delivery(event.eventId, webhook))?.status,
    };
  }

  test('a worker that outlived its lease leaves the next attempt of another that stopped', async () => {
    for (let call = 1, isStopped = true; isStopped; call += 1) {
      const outcome = await superseded(call);
      expect({ call, ...outcome }).toMatchObject({
        call,
        entries: [],
        nextDrainAt: undefined,
        status: 'succeeded',
      });
      isStopped = outcome.isStopped;
    }
  });
});

describe('webhook half seen', () => {
  // Beside a transaction that is under way, a read may show its due entries and a later one their deliveries as they were before:
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation

  type Context = ReturnType<typeof newContext>;

  /** A worker's store that shows deliveries as they were, for its first read. */
  function showing(
    { deps: { store } }: Context,
    before: ReadonlyMap<string, QueuedDelivery | undefined>,
  ): Pick<DrainDeps, 'store'> {
    let isFirst = true;
    return {
      store: {
        ...store,
        async read(...given) {
          const { webhook, deliveries } = await store.read(...given);
          if (!isFirst) return { webhook, deliveries };
          isFirst = false;
          const shown = [...deliveries].flatMap(([id, delivery]) => {
            const old = before.has(id) ? before.get(id) : delivery;
            return old === undefined ? [] : [[id, old] as const];
          });
          return { webhook, deliveries: new Map(shown) };
        },
      },
    };
  }

  test.each([
    ['redelivery of what was delivered', 2, (context: Context) => context.drain()],
    ['redelivery of what is still due', 2, () => Promise.resolve()],
    ['first delivery', 1, undefined],
  ])('a %s is made though its due entry is seen before it', async (path, count, work) => {
    const context = newContext();
    const webhook = await context.webhook(`/${encodeURIComponent(path)}`);
    const event = await context.event();
    const { eventId } = event;
    await context.fanOut(event);
    const delivery = () => context.delivery(eventId, webhook);
    await work?.(context);
    const before = work && (await delivery());
    context.advance(1);
    if (work !== undefined) await context.redeliver(eventId, webhook);
    const since = context.now().getTime();
    await context.workOnce(showing(context, new Map([[deliveryIdOf(eventId, webhook._id), before]])));
    await context.drain();
    expect(context.got(`/${encodeURIComponent(path)}`)).toHaveLength(count);
    expect(context.now().getTime() - since).toBeLessThan(60_000);
    expect(await delivery()).toMatchObject({ status: 'succeeded', nextAttemptAt: null });
    expect(await context.entries(webhook)).toEqual([]);
  });
});
