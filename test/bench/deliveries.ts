import { setTimeout as pause } from 'node:timers/promises';
import { type DeliverDeps, deliver } from '../../functions/webhook-delivery/deliver.ts';
import { createExchange } from '../../functions/webhook-delivery/exchange.ts';
import { createDeliveryStore } from '../../functions/webhook-delivery/store.ts';
import { fanOut } from '../../functions/webhook-fanout/fan-out.ts';
import { createFanoutStore } from '../../functions/webhook-fanout/store.ts';
import { newObjectId } from '../../shared/data/object-id.ts';
import { outboxTable, webhooksTable } from '../../shared/data/tables.ts';
import type { Lane } from '../../shared/webhooks/health.ts';
import { memoryQueues, putEvent, putWebhook, webhookSecrets } from '../support/deliveries.ts';
import { startReceiver } from '../support/receiver.ts';
import { createTable, dynamo } from '../support/tables.ts';
import { count, type Row } from './report.ts';

/** Messages that are worked on at once in each lane. */
const workers: Readonly<Record<Lane, number>> = { fast: 32, slow: 8 };
/** Stands for the 15 seconds of an exchange, so that the bench does not take minutes. */
const timeLimitMs = 3_000;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const now = () => new Date();

interface Load {
  readonly organizations: number;
  readonly webhooksEach: number;
  readonly eventsEach: number;
  /** Between one event of an organization and its next. */
  readonly pauseMs: number;
  /** Of five receivers one hangs. */
  readonly someHang: boolean;
}

/** Delivers events to receivers on this machine; answers how long each healthy one waited, and the whole. */
async function run({ organizations, webhooksEach, eventsEach, pauseMs, someHang }: Load) {
  const [webhooks, outbox] = await Promise.all([createTable(webhooksTable), createTable(outboxTable)]);
  const sentAt = new Map<string, number>();
  const waits: number[] = [];
  const receiver = await startReceiver((path) => {
    if (path.startsWith('/hanging')) return 'hang';
    const { headers } = receiver.got.at(-1) ?? {};
    const sent = sentAt.get(String(headers?.['webhook-id']));
    if (sent !== undefined) waits.push(performance.now() - sent);
    return 200;
  });
  const memory = memoryQueues(now);
  const deps: DeliverDeps = {
    store: createDeliveryStore(dynamo, { webhooks, outbox }),
    queues: memory.queues,
    secrets: webhookSecrets,
    exchange: createExchange({ rules: { loopback: true }, timeLimitMs }),
    now,
    random: Math.random,
    log,
  };
  const owners = Array.from({ length: organizations }, () => newObjectId(now()));
  for (const owner of owners) {
    await Promise.all(
      Array.from({ length: webhooksEach }, (_, index) => {
        const path = someHang && index % 5 === 0 ? '/hanging' : '/healthy';
        return putWebhook(webhooks, owner, { url: receiver.url(path) });
      }),
    );
  }
  const events = await Promise.all(
    Array.from({ length: eventsEach }, () => Promise.all(owners.map((owner) => putEvent(outbox, owner)))),
  );

  let isOver = false;
  const work = async (lane: Lane): Promise<void> => {
    while (!isOver) {
      const next = memory.take({ lane, dueBy: Date.now() });
      if (next === undefined) await pause(5);
      else await deliver({ message: next.message }, deps);
    }
  };
  const started = performance.now();
  const pools = (['fast', 'slow'] as const).flatMap((lane) =>
    Array.from({ length: workers[lane] }, () => work(lane)),
  );
  const store = createFanoutStore(dynamo, webhooks);
  for (const some of events) {
    await Promise.all(
      some.map((detail) => {
        sentAt.set(detail.eventId, performance.now());
        return fanOut({ message: { detail } }, { store, queues: memory.queues, now, log });
      }),
    );
    await pause(pauseMs);
  }
  const healthy = someHang ? webhooksEach - Math.ceil(webhooksEach / 5) : webhooksEach;
  const wanted = organizations * eventsEach * healthy;
  while (waits.length < wanted) await pause(5);
  const seconds = (performance.now() - started) / 1_000;
  isOver = true;
  await Promise.all(pools);
  receiver.close();
  const sorted = waits.toSorted((one, other) => one - other);
  return { perSecond: wanted / seconds, p95: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN };
}

/** As many posts by bare `fetch` to such a receiver, as many of them at once. */
async function bareFetch(posts: number): Promise<number> {
  const receiver = await startReceiver(() => 200);
  let left = posts;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: workers.fast }, async () => {
      while (left > 0) {
        left -= 1;
        await (await fetch(receiver.url('/healthy'), { method: 'POST', body: '{}' })).text();
      }
    }),
  );
  receiver.close();
  return posts / ((performance.now() - started) / 1_000);
}

/** Deliveries per second, and how long healthy receivers wait when a fifth of all hang. */
export async function measureDeliveries(): Promise<Row[]> {
  const burst = { organizations: 10, webhooksEach: 20, eventsEach: 5, pauseMs: 0, someHang: false };
  const { perSecond } = await run(burst);
  const bare = await bareFetch(burst.organizations * burst.webhooksEach * burst.eventsEach);
  const steady = { organizations: 1, webhooksEach: 20, eventsEach: 16, pauseMs: 1_000 };
  const none = await run({ ...steady, someHang: false });
  const some = await run({ ...steady, someHang: true });
  return [
    {
      what: 'deliveries per second, each claimed and recorded in DynamoDB Local',
      measured: count(perSecond),
      comparedWith: `bare fetch ${count(bare)}`,
      ratio: perSecond / bare,
    },
    {
      what: 'p95 of healthy receivers while a fifth of all hang',
      measured: `${some.p95.toFixed(0)} ms`,
      comparedWith: `none hangs ${none.p95.toFixed(0)} ms`,
      ratio: some.p95 / none.p95,
      budget: 'at most 1.2 times',
      isWithin: some.p95 / none.p95 <= 1.2,
    },
  ];
}
