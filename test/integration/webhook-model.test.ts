import * as fc from 'fast-check';
import type { StoredWebhook } from '../../shared/domain/webhooks/stored.ts';
import { Crashed, faultsOf, type Gate, newWorld, type World } from '../support/webhook-actors.ts';

// Random histories: fan-outs, drains by workers, calls of the API and of the schedule meet, call by call in a random order,
// and any of them may stop at any of its calls. `WEBHOOK_MODEL_RUNS=500` runs more of them.
const numRuns = Number(process.env['WEBHOOK_MODEL_RUNS'] ?? 8);

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
    { numRuns, endOnFailure: process.env['WEBHOOK_MODEL_RUNS'] === undefined },
  );
}, 900_000);
