import * as fc from 'fast-check';
import { drainWithinSeconds, nextDrainKey, nextDrainKeyOf } from '#domain/webhooks/drain.ts';
import { deliveryIdOf, type QueuedDelivery, type StoredWebhook } from '#domain/webhooks/stored.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { createOverdueWebhooks, wakeOverdue } from '../../functions/webhook-delivery/check-due.ts';
import type { DrainDeps } from '../../functions/webhook-delivery/drain.ts';
import { leaseSeconds } from '../../functions/webhook-delivery/uses.ts';
import { mostReplayed } from '../../functions/webhooks/deliver-again.ts';
import { runs } from '../support/extent.ts';
import { Crashed, faultsOf, type Gate, newWorld, openGate, type World } from '../support/webhook-actors.ts';
import { newCarrier, newContext, span, webhooksOf } from '../support/webhooks-tests.ts';

describe('webhook model', () => {
  // Random histories: fan-outs, drains by workers, calls of the API and of the schedule meet, call by call in a random order,
  // and any of them may stop at any of its calls.

  const kinds = [
    'event',
    'drain',
    'drain',
    'drain',
    'schedule',
    'replay',
    'redelivery',
    'disable',
    'enable',
    'move',
    'delete',
  ] as const;

  const actor = fc.record({
    kind: fc.constantFrom(...kinds),
    /** Which of the two webhooks. */
    webhook: fc.nat(1),
    /** The call at which it stops. */
    stopsAt: fc.option(fc.integer({ min: 1, max: 14 }), { freq: 3, nil: undefined }),
  });

  type Actor = typeof actor extends fc.Arbitrary<infer Value> ? Value : never;

  const step = fc.record({
    actors: fc.array(actor, { minLength: 1, maxLength: 3 }),
    seconds: fc.constantFrom(0, 0, 1, 6, 61, 400),
  });

  const history = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 8 }),
    /** Decides whose call is next. */
    order: fc.infiniteStream(fc.nat(1_000)),
    /** Attempts that fail, by event in the order of their appearance. */
    failures: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 6 }),
  });

  /** Lets one call run at a time: whichever of those that wait the order says. */
  function turnstile(order: Iterator<number>) {
    const waiting: (() => void)[] = [];
    let isBusy = false;
    const next = (): void => {
      if (isBusy || waiting.length === 0) return;
      isBusy = true;
      const index = Number(order.next().value) % waiting.length;
      const [chosen] = waiting.splice(index, 1);
      chosen?.();
    };
    // Once everybody who goes on without a call has come to the next one.
    const later = (): void => void setImmediate(() => setImmediate(next));
    return async <Result>(call: () => Promise<Result>): Promise<Result> => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        later();
      });
      try {
        return await call();
      } finally {
        isBusy = false;
        later();
      }
    };
  }

  /** The gate of an actor that stops at a call: one half of the stops is before it takes effect, the other after. */
  function stoppingGate(gate: Gate, stopsAt: number | undefined): Gate {
    let calls = 0;
    let isStopped = false;
    return async (call) => {
      if (isStopped) throw new Crashed();
      calls += 1;
      const isLast = calls === stopsAt;
      isStopped = isLast && calls % 2 === 0;
      if (isStopped) throw new Crashed();
      const result = await gate(call);
      isStopped ||= isLast;
      if (isStopped) throw new Crashed();
      return result;
    };
  }

  /** Work that was not done: the machine stopped, the request was refused, or others were faster. */
  const isExpected = (error: unknown): boolean =>
    error instanceof Error && /^(Crashed|ApiError|DomainError|TransactionContention)$/.test(error.name);

  /** Does what an actor does; answers the delivery that it was promised, if it was. */
  async function act(
    world: World,
    webhook: StoredWebhook,
    { kind }: Actor,
    gate: Gate,
  ): Promise<string | undefined> {
    const api = world.api(gate);
    switch (kind) {
      case 'event': {
        const event = await world.context.event();
        world.undelivered.push(event);
        await world.fanOut(event, gate);
        world.undelivered.splice(world.undelivered.indexOf(event), 1);
        return;
      }
      case 'drain': {
        const { memory, now } = world.context;
        const next = memory.take({ dueBy: now().getTime() });
        if (next === undefined) return;
        try {
          await world.drain(next.message, gate);
        } catch (error) {
          memory.waiting.push({ ...next, visibleAt: now().getTime() + 450_000 });
          throw error;
        }
        return;
      }
      case 'schedule':
        await world.tick(gate);
        return;
      case 'redelivery': {
        const [delivery] = await world.deliveries(webhook);
        if (delivery === undefined) return;
        await api.redeliver(delivery);
        return delivery._id;
      }
      case 'replay':
      case 'disable':
      case 'enable':
      case 'move':
      case 'delete':
        await api[kind](webhook);
        return;
    }
  }

  /** Deliveries that should have succeeded, by what was answered and what happened to their webhook afterwards. */
  async function brokenPromises(
    world: World,
    webhook: StoredWebhook,
    { isUndisturbed, promised }: { readonly isUndisturbed: boolean; readonly promised: ReadonlySet<string> },
  ): Promise<string[]> {
    const deliveries = (await world.context.stored(webhook)) ? await world.deliveries(webhook) : [];
    return deliveries
      .filter(({ _id, status }) => (isUndisturbed || promised.has(_id)) && status !== 'succeeded')
      .map(({ eventId, status }) => `${eventId} is ${status}`);
  }

  test('every delivery with a next attempt, of an active webhook, is delivered, and nothing is attempted without end', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, order, failures }) => {
        const world = newWorld();
        const webhooks = [await world.webhook('/one'), await world.webhook('/two')] as const;
        const known: string[] = [];
        world.failAttempts((eventId) => {
          if (!known.includes(eventId)) known.push(eventId);
          return failures[known.indexOf(eventId) % failures.length] ?? 0;
        });
        const enter = turnstile(order[Symbol.iterator]());
        const promised = [new Set<string>(), new Set<string>()] as const;
        const disturbed = new Set<number>();
        for (const { actors, seconds } of steps) {
          await Promise.all(
            actors.map(async (one) => {
              const index = one.webhook === 0 ? 0 : 1;
              try {
                const delivery = await act(world, webhooks[index], one, stoppingGate(enter, one.stopsAt));
                if (delivery !== undefined) promised[index].add(delivery);
              } catch (error) {
                if (!isExpected(error)) throw error;
              }
            }),
          );
          // A disabled webhook's deliveries wait for a replay, and nobody sees those of a deleted one.
          for (const { kind, webhook } of actors) {
            if (kind !== 'disable' && kind !== 'delete') continue;
            disturbed.add(webhook);
            promised[webhook === 0 ? 0 : 1].clear();
          }
          world.context.advance(seconds * 1_000);
        }
        // The queue delivers the bus's messages again.
        for (const event of world.undelivered) await world.fanOut(event, (call) => call());
        await world.settle();
        for (const index of [0, 1] as const) {
          expect(await faultsOf(world, webhooks[index])).toEqual([]);
          const expected = { isUndisturbed: !disturbed.has(index), promised: promised[index] };
          expect(await brokenPromises(world, webhooks[index], expected)).toEqual([]);
        }
        const asked = steps.flatMap(({ actors }) => actors).length;
        for (const count of world.received.values()) expect(count).toBeLessThanOrEqual(2 * (asked + 4));
      }),
      { ...runs(8, 500), endOnFailure: true },
    );
  }, 900_000);
});

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
  /** A worker outlives its lease in an attempt: meanwhile another one makes the attempt too, and stops at a call. */
  async function superseded(call: number) {
    const world = newWorld();
    const { context } = world;
    const webhook = await world.webhook('/');
    await world.fanOut(await context.event(), openGate);
    // Both fail, so that the attempt that is recorded leads to another one.
    world.failAttempts(() => 2);
    const message = context.memory.take()?.message;
    if (message === undefined) throw new Error('There is no message.');
    let calls = 0;
    const stopping: Gate = async (work) => {
      calls += 1;
      if (calls >= call) throw new Crashed();
      return work();
    };
    let isSuperseded = false;
    await world.drain(message, async (work) => {
      const attempts = world.received.size;
      const result = await work();
      if (!isSuperseded && world.received.size > attempts) {
        isSuperseded = true;
        context.advance((leaseSeconds + 1) * 1_000);
        await world.drain(message, stopping).catch((error: unknown) => {
          if (!(error instanceof Crashed)) throw error;
        });
      }
      return result;
    });
    await world.settle();
    expect(isSuperseded).toBe(true);
    return { isStopped: calls >= call, faults: await faultsOf(world, webhook) };
  }

  test('a worker that outlived its lease leaves the next attempt of another that stopped', async () => {
    for (let call = 1, isStopped = true; isStopped; call += 1) {
      const outcome = await superseded(call);
      expect([call, outcome.faults]).toEqual([call, []]);
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
