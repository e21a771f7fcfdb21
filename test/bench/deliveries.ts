import { setTimeout as pause } from 'node:timers/promises';
import type { StoredWebhook } from '../../shared/domain/webhooks/stored.ts';
import { webhooksTable } from '../../shared/domain/webhooks/table.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import { putWebhook } from '../support/deliveries.ts';
import { startReceiver } from '../support/receiver.ts';
import { createTable } from '../support/tables.ts';
import { memoryStore, writesPerSecond } from './delivery-parts.ts';
import { callsOf, startWorkers } from './delivery-workers.ts';
import { count, median, type Row } from './report.ts';

interface Burst {
  readonly webhooks: number;
  readonly events: number;
  /** What the receiver takes to answer. */
  readonly answersAfterMs?: number;
}

/** Delivers events that are fanned out already, to receivers on this machine, until all are recorded. */
async function deliver({ webhooks, events, answersAfterMs = 0 }: Burst) {
  const workers = await startWorkers();
  const receiver = await startReceiver(async () => {
    if (answersAfterMs > 0) await pause(answersAfterMs);
    return 200;
  });
  const owner = newObjectId(new Date());
  for (let index = 0; index < webhooks; index += 1) {
    await putWebhook(workers.webhooks, owner, { url: receiver.url('/') });
  }
  const made = await workers.newEvents(owner, events);
  let wake = () => Promise.resolve();
  for (let from = 0; from < made.length; from += 10) {
    wake = await workers.fanOut(made.slice(from, from + 10), { wakes: false });
  }
  const wanted = webhooks * events;
  const started = performance.now();
  const calls = await callsOf(async () => {
    await wake();
    while (receiver.got.length < wanted) await pause(2);
    await workers.stop();
  });
  const seconds = (performance.now() - started) / 1_000;
  receiver.close();
  return {
    perSecond: wanted / seconds,
    seconds,
    calls,
    callsEach: calls / wanted,
    invocations: workers.invocations.healthy + workers.invocations.failing,
    received: receiver.got.length,
  };
}

/** Deliveries per second that are due in memory, and are recorded nowhere. */
async function deliverFromMemory({ webhooks: count, events }: Burst): Promise<number> {
  const owner = newObjectId(new Date());
  const receiver = await startReceiver(() => 200);
  const table = await createTable(webhooksTable);
  const webhooks: StoredWebhook[] = [];
  for (let index = 0; index < count; index += 1) {
    webhooks.push(await putWebhook(table, owner, { url: receiver.url('/') }));
  }
  const workers = await startWorkers({ store: memoryStore(owner, webhooks, events) });
  const started = performance.now();
  await workers.waker.wake(webhooks.map(({ _id: webhookId }) => ({ owner, webhookId })));
  while (receiver.got.length < count * events) await pause(2);
  const perSecond = (count * events) / ((performance.now() - started) / 1_000);
  await workers.stop();
  receiver.close();
  return perSecond;
}

/** As many posts by bare `fetch` to such a receiver, as many of them at once. */
async function bareFetch(posts: number, atOnce: number): Promise<number> {
  const receiver = await startReceiver(() => 200);
  let left = posts;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left > 0) {
        left -= 1;
        await (await fetch(receiver.url('/'), { method: 'POST', body: '{}' })).text();
      }
    }),
  );
  receiver.close();
  return posts / ((performance.now() - started) / 1_000);
}

/** Deliveries per second and what they cost, after fan-out. */
export async function measureDeliveries(): Promise<Row[]> {
  const many = { webhooks: 20, events: 100 };
  const drains: Awaited<ReturnType<typeof deliver>>[] = [];
  const bares: number[] = [];
  // In turns, the first of which is not counted: what a busy machine adds to some leaves the median alone.
  for (let round = 0; round < 4; round += 1) {
    const drained = await deliver(many);
    const bare = await bareFetch(many.webhooks * many.events, 32);
    if (round === 0) continue;
    drains.push(drained);
    bares.push(bare);
  }
  const perSecond = median(drains.map((one) => one.perSecond));
  const callsEach = median(drains.map((one) => one.callsEach));
  const bare = median(bares);
  const inMemory: number[] = [];
  const single: number[] = [];
  const together: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const memory = await deliverFromMemory(many);
    const writes = [
      await writesPerSecond('single', 2_000),
      await writesPerSecond('together', 2_000),
    ] as const;
    if (round === 0) continue;
    inMemory.push(memory);
    single.push(writes[0]);
    together.push(writes[1]);
  }
  const ceiling = await deliver({ webhooks: 1, events: 2_000 });
  const distant = await deliver({ webhooks: 1, events: 1_000, answersAfterMs: 100 });
  const burst = await deliver({ webhooks: 1, events: 10_000 });
  return [
    {
      what: 'deliveries per second to 20 healthy webhooks, each recorded in DynamoDB Local',
      measured: count(perSecond),
      comparedWith: `bare fetch ${count(bare)}`,
      ratio: perSecond / bare,
      budget: 'at least 0.3',
      isWithin: perSecond / bare >= 0.3,
    },
    {
      what: 'the same, due in memory and recorded nowhere',
      measured: count(median(inMemory)),
      comparedWith: `bare fetch ${count(bare)}`,
      ratio: median(inMemory) / bare,
    },
    {
      what: 'the records of attempts alone per second, a call for 20',
      measured: count(median(together)),
      comparedWith: `a call for each ${count(median(single))}`,
      ratio: median(together) / median(single),
    },
    {
      what: 'database calls per delivery after fan-out',
      measured: callsEach.toFixed(2),
      budget: 'at most 1.5',
      isWithin: callsEach <= 1.5,
    },
    {
      what: 'deliveries per second to one webhook whose receiver answers at once; after 100 ms',
      measured: `${count(ceiling.perSecond)}; ${count(distant.perSecond)}`,
      comparedWith: '20 at once without any other cost: 200 after 100 ms',
      ratio: distant.perSecond / 200,
    },
    {
      what: 'burst of 10,000 events to one webhook',
      measured: `${burst.seconds.toFixed(0)} s, ${burst.invocations} invocations, ${count(burst.calls)} database calls`,
    },
  ];
}
