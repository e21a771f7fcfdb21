import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { deliveryIdOf, type QueuedDelivery, webhookKeys } from '#domain/webhooks/stored.ts';
import { mapConcurrently } from '#platform/data/concurrently.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { type DrainDeps, pageSizes } from '../../functions/webhook-delivery/drain.ts';
import { leaseSeconds } from '../../functions/webhook-delivery/uses.ts';
import { putWebhook } from '../support/deliveries.ts';
import { inShort } from '../support/extent.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';
import { Crashed, faultsOf, type Gate, newWorld, openGate } from '../support/webhook-actors.ts';
import { newContext, tables } from '../support/webhooks-tests.ts';

describe('webhook crashes', () => {
  // A machine is stopped before and after each of its calls to the database, the queues and the receiver, and everything
  // else that can happen to a webhook happens in each gap, whether the machine then stops or goes on.

  /** What happens in a gap. */
  const interlopers = [
    'another event',
    'disabling',
    'disabling and enabling',
    'deleting',
    'a replay',
    'a redelivery',
  ] as const;

  /** What the machine begins with; then it drains. */
  const beginnings = ['an event', 'a replay', 'a redelivery', 'enabling'] as const;

  interface Case {
    readonly beginning: (typeof beginnings)[number];
    /** Number of the call, from 1. */
    readonly call: number;
    readonly stop: 'before' | 'after' | 'never';
    readonly interloper?: (typeof interlopers)[number];
    /** Attempts that the receiver fails. */
    readonly failures: number;
    /** Drains by workers that may stop. */
    readonly drains: number;
  }

  /** `npm test` has a machine stop before some of the calls and after others, and something else happen in some of the gaps. */
  const isComplete = inShort(false, true);

  /** Runs a case until nothing is left to do; answers how many calls the machines made, and what is wrong. */
  async function run({ beginning, call, stop, interloper, failures, drains }: Case) {
    const world = newWorld();
    const { context } = world;
    const webhook = await world.webhook('/');
    const [first, second] = [await context.event(), await context.event()];
    const isRepeated = beginning !== 'an event';
    if (isRepeated) {
      await world.fanOut(first, openGate);
      await world.settle();
    }
    if (beginning === 'enabling') {
      // Its delivery is still due when it is enabled, since no worker has come by.
      await world.api(openGate).redeliver((await world.deliveries(webhook))[0] ?? { webhookId: '', _id: '' });
      await world.api(openGate).disable(webhook);
      context.memory.waiting.splice(0);
    }
    const before = new Map(world.received);
    world.failAttempts((eventId) => (before.get(eventId) ?? 0) + failures);

    /** Refusals are an answer: to a webhook that is deleted or disabled. */
    const unlessRefused = async (work: () => Promise<unknown> | unknown): Promise<void> => {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof Error) || !/ApiError|DomainError/.test(error.name)) throw error;
      }
    };
    const intrude = async (): Promise<void> => {
      const api = world.api(openGate);
      const [delivery] = await world.deliveries(webhook);
      switch (interloper) {
        case 'another event':
          return world.fanOut(second, openGate);
        case 'disabling':
          return unlessRefused(() => api.disable(webhook));
        case 'disabling and enabling':
          return unlessRefused(async () => {
            await api.disable(webhook);
            await api.enable(webhook);
          });
        case 'deleting':
          return unlessRefused(() => api.delete(webhook));
        case 'a replay':
          return unlessRefused(() => api.replay(webhook));
        case 'a redelivery':
          return delivery && unlessRefused(() => api.redeliver(delivery));
        case undefined:
      }
    };

    let calls = 0;
    /** The gate of one machine; it stops at the case's call, and hears of no other call then. */
    const newGate = (): Gate => {
      let isStopped = false;
      return async (work) => {
        if (isStopped) throw new Crashed();
        calls += 1;
        const isHere = calls === call;
        if (isHere) await intrude();
        isStopped ||= isHere && stop === 'before';
        if (isStopped) throw new Crashed();
        const result = await work();
        isStopped ||= isHere && stop === 'after';
        if (isStopped) throw new Crashed();
        return result;
      };
    };
    const isDone = (work: Promise<unknown>): Promise<boolean> =>
      work.then(
        () => true,
        (error: unknown) => {
          if (error instanceof Crashed) return false;
          throw error;
        },
      );

    switch (beginning) {
      case 'an event':
        // The queue delivers the bus's message again until it is done.
        while (!(await isDone(world.fanOut(first, newGate()))));
        break;
      case 'a replay':
        await isDone(unlessRefused(() => world.api(newGate()).replay(webhook)));
        break;
      case 'a redelivery': {
        const [delivery] = await world.deliveries(webhook);
        if (delivery === undefined) throw new Error('There is no delivery.');
        await isDone(unlessRefused(() => world.api(newGate()).redeliver(delivery)));
        break;
      }
      case 'enabling':
        await isDone(unlessRefused(() => world.api(newGate()).enable(webhook)));
    }
    for (let drain = 0; drain < drains; drain += 1) {
      const next = context.memory.take();
      if (next === undefined) break;
      context.advance(Math.max(0, next.visibleAt - context.now().getTime()));
      await isDone(world.drain(next.message, newGate()));
    }
    await world.settle();

    const faults = await faultsOf(world, webhook);
    const deliveries = await world.deliveries(webhook);
    const wasDisabled = interloper?.startsWith('disabling') === true || beginning === 'enabling';
    const isGone = interloper === 'deleting';
    for (const { eventId, status } of deliveries) {
      if (status !== 'succeeded' && !wasDisabled && !isGone) faults.push(`${eventId} is ${status}`);
    }
    if (!isGone && deliveries.length === 0) faults.push('there is no delivery');
    for (const [eventId, count] of world.received) {
      // One for each time it was asked for, one for a crash.
      if (count > (before.get(eventId) ?? 0) + failures + 3)
        faults.push(`${eventId} was attempted ${count} times`);
    }
    return { calls, faults };
  }

  /** The calls of a case to which nothing happens. */
  const callsOf = async (undisturbed: Pick<Case, 'beginning' | 'failures' | 'drains'>): Promise<number[]> => {
    const { calls, faults } = await run({ ...undisturbed, call: 0, stop: 'never' });
    expect(faults).toEqual([]);
    expect(calls).toBeGreaterThan(9);
    return Array.from({ length: calls }, (_, index) => index + 1);
  };

  /** What is wrong with which cases. */
  async function faultsOfAll(cases: readonly Case[]): Promise<string[]> {
    const found = await mapConcurrently(cases, 6, async (one) => {
      const { faults } = await run(one);
      return faults.map((fault) => `${JSON.stringify(one)}: ${fault}`);
    });
    return found.flat();
  }

  describe('a worker that stops at any call loses nothing', () => {
    test.each(beginnings)('from %s until its delivery after a failure', async (beginning) => {
      const undisturbed = { beginning, failures: 1, drains: beginning === 'an event' ? 2 : 1 };
      const calls = await callsOf(undisturbed);
      const cases = calls
        .flatMap((call) => (['before', 'after'] as const).map((stop) => ({ ...undisturbed, call, stop })))
        .filter(({ call, stop }) => isComplete || call % 12 === (stop === 'before' ? 0 : 6));
      expect(await faultsOfAll(cases)).toEqual([]);
    });

    const oneDrain = { beginning: 'an event', failures: 1, drains: 1 } as const;
    let gaps: readonly number[] = [];
    beforeAll(async () => {
      gaps = await callsOf(oneDrain);
    });

    test.each(interlopers)('with %s in any gap', async (interloper) => {
      const undisturbed = { ...oneDrain, interloper };
      const offset = interlopers.indexOf(interloper);
      const cases = gaps
        .flatMap((call) => (['before', 'never'] as const).map((stop) => ({ ...undisturbed, call, stop })))
        .filter(({ call, stop }) => isComplete || call % 24 === (stop === 'before' ? 0 : 12) + offset);
      expect(await faultsOfAll(cases)).toEqual([]);
    });
  });

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
    let isStopped = false;
    const stopping: Gate = async (work) => {
      calls += 1;
      isStopped ||= calls === call;
      if (isStopped) throw new Crashed();
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
    return { isSuperseded, isStopped, faults: await faultsOf(world, webhook) };
  }

  test('a worker that outlived its lease leaves the next attempt of another that stopped', async () => {
    const faults: string[] = [];
    let call = 1;
    for (let isStopped = true; isStopped; call += 1) {
      const found = await superseded(call);
      expect(found.isSuperseded).toBe(true);
      isStopped = found.isStopped;
      faults.push(...found.faults.map((fault) => `stopped before call ${call}: ${fault}`));
    }
    expect(faults).toEqual([]);
    expect(call).toBeGreaterThan(9);
  });
});

describe('webhook half seen', () => {
  // Beside a transaction that is under way, a read may show its due entries and a later one their deliveries as they were before:
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation

  type Context = ReturnType<typeof newContext>;

  /** A worker's store that shows deliveries as they were, for so many reads. */
  function showing(
    { deps: { store } }: Context,
    before: ReadonlyMap<string, QueuedDelivery | undefined>,
    reads = 1,
  ): Pick<DrainDeps, 'store'> {
    let left = reads;
    return {
      store: {
        ...store,
        async read(...given) {
          const { webhook, deliveries } = await store.read(...given);
          left -= 1;
          if (left < 0) return { webhook, deliveries };
          const shown = [...deliveries].flatMap(([id, delivery]) => {
            const old = before.has(id) ? before.get(id) : delivery;
            return old === undefined ? [] : [[id, old] as const];
          });
          return { webhook, deliveries: new Map(shown) };
        },
      },
    };
  }

  /** A webhook whose event is asked for anew, after some work; the delivery as it is, and as it was before. */
  async function redelivered(path: string, work: (context: Context) => Promise<unknown>) {
    const context = newContext();
    const webhook = await context.webhook(path);
    const event = await context.event();
    await context.fanOut(event);
    await work(context);
    const delivery = () => context.delivery(event.eventId, webhook);
    const before = new Map([[deliveryIdOf(event.eventId, webhook._id), await delivery()]]);
    context.advance(1);
    await context.redeliver(event.eventId, webhook);
    return { context, webhook, delivery, before };
  }

  test.each([
    ['was delivered', (context: Context) => context.drain()],
    ['is still due', () => Promise.resolve()],
  ])('a redelivery of what %s is made though its due entry is seen before it', async (what, work) => {
    const path = `/half/${what.length}`;
    const { context, webhook, delivery, before } = await redelivered(path, work);
    const since = context.now().getTime();
    await context.workOnce(showing(context, before));
    await context.drain();
    expect(context.got(path)).toHaveLength(2);
    expect(context.now().getTime() - since).toBeLessThan(60_000);
    expect(await delivery()).toMatchObject({ status: 'succeeded', nextAttemptAt: null });
    expect(await context.entries(webhook)).toEqual([]);
  });

  test('a delivery of a test is made though its due entry is seen before it exists', async () => {
    const context = newContext();
    const webhook = await context.webhook('/half/new');
    const event = await context.event();
    await context.fanOut(event);
    await context.workOnce(
      showing(context, new Map([[deliveryIdOf(event.eventId, webhook._id), undefined]])),
    );
    await context.drain();
    expect(await context.delivery(event.eventId, webhook)).toMatchObject({ status: 'succeeded' });
    expect(await context.entries(webhook)).toEqual([]);
  });

  test('a worker that sees nothing but such entries gives its lease back until it checks again', async () => {
    const context = newContext();
    const webhook = await context.webhook('/half/many');
    const events = await context.events(pageSizes.healthy + 1);
    await context.fanOut(events);
    const before = new Map(events.map(({ eventId }) => [deliveryIdOf(eventId, webhook._id), undefined]));
    const { calls } = await databaseCalls(() => context.workOnce(showing(context, before, 50)));
    expect(calls.filter((call) => call === 'QueryCommand')).toHaveLength(1);
    const item = await context.drainItem(webhook);
    expect(item).not.toHaveProperty('lease');
    expect(item?.nextDrainAt).toBe(new Date(context.now().getTime() + 1_000).toISOString());
    await context.drain();
    expect(context.got('/half/many')).toHaveLength(events.length);
    expect(await context.entries(webhook)).toEqual([]);
  });

  test('a redelivery requested before its webhook was disabled waits for a replay, without a next attempt', async () => {
    const { context, webhook, delivery, before } = await redelivered('/half/disabled', (it) => it.drain());
    await putWebhook(tables.webhooks, context.owner, { ...webhook, isActive: false, version: 2 });
    await context.workOnce(showing(context, before, 2));
    await context.drain();
    expect(context.got('/half/disabled')).toHaveLength(1);
    expect(await delivery()).toMatchObject({ status: 'pending', nextAttemptAt: null });
    expect(await context.entries(webhook)).toEqual([]);
  });

  test.each([
    ['an active', true],
    ['a disabled', false],
  ])('due entries of %s webhook whose deliveries are gone go within minutes', async (_, isActive) => {
    const context = newContext();
    const webhook = await context.webhook('/half/gone');
    const event = await context.event();
    await context.fanOut(event);
    await putWebhook(tables.webhooks, context.owner, { ...webhook, isActive, version: 2 });
    const key = webhookKeys.delivery(context.owner, webhook._id, deliveryIdOf(event.eventId, webhook._id));
    await dynamo.send(new DeleteItemCommand({ TableName: tables.webhooks, Key: toItem(key) }));
    const since = context.now().getTime();
    await context.drain();
    expect(await context.entries(webhook)).toEqual([]);
    expect(await context.drainItem(webhook)).not.toHaveProperty('nextDrainAt');
    expect(context.now().getTime() - since).toBeLessThanOrEqual(2 * 60_000);
  });
});
