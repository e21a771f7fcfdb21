import { setTimeout as pause } from 'node:timers/promises';
import { type DeliverDeps, deliver } from '../../functions/webhook-delivery/deliver.ts';
import { createExchange } from '../../functions/webhook-delivery/exchange.ts';
import { createDeliveryStore } from '../../functions/webhook-delivery/store.ts';
import { fanOut } from '../../functions/webhook-fanout/fan-out.ts';
import { createFanoutStore } from '../../functions/webhook-fanout/store.ts';
import { newObjectId } from '../../shared/data/object-id.ts';
import { outboxTable, webhooksTable } from '../../shared/data/tables.ts';
import type { DeliveryMessage } from '../../shared/webhooks/deliveries.ts';
import { type Lane, laneSlots } from '../../shared/webhooks/health.ts';
import { memoryQueues, putEvent, putWebhook, webhookSecrets } from '../support/deliveries.ts';
import { startReceiver } from '../support/receiver.ts';
import { recordingLogger } from '../support/recording-logger.ts';
import { createTable, dynamo } from '../support/tables.ts';

const webhookCount = 20;
const hangingCount = 4;
const eventCount = 8;
const timeLimitMs = 2_000;
/** Concurrent workers of each queue: fewer than the hanging webhooks would occupy without slots. */
const workers: Readonly<Record<Lane, number>> = { fast: 16, slow: 6 };

/** The number of concurrent attempts at each webhook, now and at most. */
class Gauge {
  readonly #now = new Map<string, number>();
  readonly most = new Map<string, number>();

  change(key: string, by: 1 | -1): void {
    const count = (this.#now.get(key) ?? 0) + by;
    this.#now.set(key, count);
    this.most.set(key, Math.max(this.most.get(key) ?? 0, count));
  }
}

// None holds more than its slots, and none a fast slot after its first timeout.
test(`${hangingCount} hanging webhooks of ${webhookCount} delay no other`, async () => {
  const [webhooks, outbox] = await Promise.all([createTable(webhooksTable), createTable(outboxTable)]);
  const owner = newObjectId(new Date());
  const now = () => new Date();
  const receiver = await startReceiver((path) => (path.startsWith('/hanging') ? 'hang' : 200));
  const made = await Promise.all(
    Array.from({ length: webhookCount }, (_, index) =>
      putWebhook(webhooks, owner, {
        url: receiver.url(index < hangingCount ? `/hanging/${index}` : `/healthy/${index}`),
      }),
    ),
  );
  const hanging = new Set(made.filter(({ url }) => url.includes('/hanging/')).map(({ _id }) => _id));

  const memory = memoryQueues(now);
  const store = createDeliveryStore(dynamo, { webhooks, outbox });
  const exchangeWithin = (limitMs: number) =>
    createExchange({ rules: { loopback: true }, timeLimitMs: limitMs });
  // Long enough for healthy receivers not to time out on a busy machine.
  const [exchangeWithHanging, exchangeWithHealthy] = [exchangeWithin(timeLimitMs), exchangeWithin(30_000)];
  const gauge = new Gauge();
  const timedOut = new Set<string>();
  const fastAfterTimeout: DeliveryMessage[] = [];
  let fastTimeouts = 0;

  /** The dependencies for a message’s delivery, which count its attempts. */
  const depsFor = (message: DeliveryMessage): DeliverDeps => ({
    store: {
      ...store,
      async begin(...given) {
        const late = timedOut.has(message.webhookId);
        const hold = await store.begin(...given);
        if (late && hold !== undefined && message.lane === 'fast') fastAfterTimeout.push(message);
        return hold;
      },
      async record(...given) {
        const recorded = await store.record(...given);
        if (given[1].attempt.error === 'timeout') timedOut.add(message.webhookId);
        return recorded;
      },
    },
    async exchange(outgoing) {
      const key = `${message.lane} ${message.webhookId}`;
      gauge.change(key, 1);
      const exchange = hanging.has(message.webhookId) ? exchangeWithHanging : exchangeWithHealthy;
      const exchanged = await exchange(outgoing);
      gauge.change(key, -1);
      if (exchanged.error === 'timeout' && message.lane === 'fast') fastTimeouts += 1;
      return exchanged;
    },
    secrets: webhookSecrets,
    queues: memory.queues,
    now,
    random: Math.random,
    log: recordingLogger(),
  });

  const events = await Promise.all(Array.from({ length: eventCount }, () => putEvent(outbox, owner)));
  for (const detail of events) {
    await fanOut(
      { message: { detail } },
      { store: createFanoutStore(dynamo, webhooks), queues: memory.queues, now, log: recordingLogger() },
    );
  }
  // The worst order: messages of hanging webhooks come first.
  memory.waiting.sort(
    (one, other) => Number(hanging.has(other.message.webhookId)) - Number(hanging.has(one.message.webhookId)),
  );

  const wanted = (webhookCount - hangingCount) * eventCount;
  const deliveredTo = (kind: string) =>
    new Set(
      receiver.got
        .filter(({ path }) => path.startsWith(kind))
        .map(({ headers }) => `${headers['webhook-id']} ${headers['x-service-webhook-id']}`),
    );
  const isOver = () =>
    deliveredTo('/healthy').size === wanted && Array.from(hanging).every((_id) => timedOut.has(_id));
  let stopped = false;
  const work = async (lane: Lane): Promise<void> => {
    while (!stopped) {
      const next = memory.take({ lane, dueBy: Date.now() });
      if (next === undefined) await pause(10);
      else await deliver({ message: next.message }, depsFor(next.message));
    }
  };
  const pools = (['fast', 'slow'] as const).flatMap((lane) =>
    Array.from({ length: workers[lane] }, () => work(lane)),
  );
  const deadline = Date.now() + 45_000;
  while (!isOver() && Date.now() < deadline) await pause(50);
  // Time in which hanging webhooks would use fast slots if they could.
  await pause(2 * timeLimitMs);
  stopped = true;
  await Promise.all(pools);
  receiver.close();

  expect(deliveredTo('/healthy').size).toBe(wanted);
  expect(timedOut).toEqual(hanging);
  for (const [key, most] of gauge.most) {
    const lane = key.startsWith('fast') ? 'fast' : 'slow';
    expect(most).toBeLessThanOrEqual(laneSlots[lane].length);
  }
  expect(fastAfterTimeout).toEqual([]);
  expect(fastTimeouts).toBeLessThanOrEqual(hangingCount * laneSlots.fast.length);
  // Hanging webhooks do get attempts from the slow queue.
  for (const _id of hanging) expect(gauge.most.get(`slow ${_id}`)).toBeGreaterThan(0);
}, 60_000);
