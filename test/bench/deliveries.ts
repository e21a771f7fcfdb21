import { setTimeout as pause } from 'node:timers/promises';
import { createOverdueWebhooks, wakeOverdue } from '../../functions/webhook-delivery/check-due.ts';
import { type DrainDeps, drain, pageSizes } from '../../functions/webhook-delivery/drain.ts';
import { openConnections } from '../../functions/webhook-delivery/exchange.ts';
import { createDeliveryStore, createLeaseStore } from '../../functions/webhook-delivery/store.ts';
import { uses } from '../../functions/webhook-delivery/uses.ts';
import { createFanoutStore, fanOut } from '../../functions/webhook-fanout/function.ts';
import { localCapacity } from '../../infra/capacity.ts';
import { outboxTable, tablesOf, webhooksTable } from '../../shared/domain/tables.ts';
import { createWaker } from '../../shared/domain/webhooks/drain.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { memoryQueues, putEvents, putWebhook, webhookSecrets } from '../support/deliveries.ts';
import { startReceiver } from '../support/receiver.ts';
import { createTable, dynamo } from '../support/tables.ts';
import { callsOf, every, milliseconds, scaled } from './measuring.ts';
import { atLeast, atMost, count, median, quantile, type Row } from './report.ts';

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const now = () => new Date();
const newId = () => newObjectId(now());

/** The service from fan-out to receiver on this machine: as many workers as an environment has, queues in memory. */
async function startWorkers(timeLimitMs = 15_000) {
  const [webhooks, outbox] = [await createTable(webhooksTable), await createTable(outboxTable)];
  const table = tableOf(webhooksTable, dynamo, webhooks);
  const { queues, take } = memoryQueues(now);
  const deps: DrainDeps = {
    leases: createLeaseStore(table),
    store: createDeliveryStore(tablesOf(dynamo, { webhooks, outbox })),
    queues,
    secrets: webhookSecrets,
    connect: () => openConnections({ rules: { loopback: true }, timeLimitMs }),
    now,
    random: Math.random,
    log,
  };
  const waker = createWaker(table, { queues, now });
  let isOver = false;
  const pools = (['healthy', 'failing'] as const).flatMap((queue) => {
    const { batchSize } = uses.consumes[`deliveries-${queue}`];
    return every(localCapacity.workers[`deliveries-${queue}`], async () => {
      while (!isOver) {
        const batch = every(batchSize, () => take({ queue, dueBy: Date.now() }));
        const messages = batch.flatMap((one) => (one === undefined ? [] : [one.message]));
        await (messages.length === 0
          ? pause(5)
          : Promise.all(messages.map((message) => drain({ message }, deps))));
      }
    });
  });
  const overdue = createOverdueWebhooks(table);
  const schedule = setInterval(() => {
    wakeOverdue({ webhooks: overdue, waker, now, log }).catch(() => undefined);
  }, 60_000);
  return {
    newWebhook: (owner: string, url: string) => putWebhook(webhooks, owner, { url }),
    /** Stores events in the outbox as published. */
    newEvents: (owner: string, howMany: number) => putEvents(outbox, owner, howMany),
    /** Fans out a batch of the queue; answers what wakes its webhooks. */
    async fanOut(events: Awaited<ReturnType<typeof putEvents>>): Promise<() => Promise<void>> {
      const batch = fanOut({ store: createFanoutStore(table), waker, now, log });
      await Promise.all(events.map((detail) => batch.work({ message: { detail }, last: false })));
      return batch.finish;
    },
    async stop(): Promise<void> {
      isOver = true;
      clearInterval(schedule);
      await Promise.all(pools);
    },
  };
}

const [webhooks, events] = [20, scaled(100)] as const;
const deliveries = webhooks * events;
const answerMs = 300;
/** Several full pages of due entries. */
const ofBigCarrier = scaled(20 * pageSizes.healthy);

/** Milliseconds of processor time that this process, and so not the database, has taken since then. */
const processorMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

/** Delivers events that are fanned out already, to receivers on this machine, until all are recorded. */
async function deliver(howMany: { readonly webhooks: number; readonly events: number }, answerAfterMs = 0) {
  const workers = await startWorkers();
  const receiver = await startReceiver(() => (answerAfterMs === 0 ? 200 : pause(answerAfterMs, 200)));
  const owner = newId();
  for (const url of every(howMany.webhooks, () => receiver.url('/'))) await workers.newWebhook(owner, url);
  const made = await workers.newEvents(owner, howMany.events);
  let wake = () => Promise.resolve();
  for (let from = 0; from < made.length; from += 10) wake = await workers.fanOut(made.slice(from, from + 10));
  const wanted = howMany.webhooks * howMany.events;
  let calls = 0;
  const usage = process.cpuUsage();
  const time = await milliseconds(async () => {
    const made = await callsOf(async () => {
      await wake();
      while (receiver.got.length < wanted) await pause(2);
      await workers.stop();
    });
    calls = made.length;
  });
  const ownMs = processorMs(usage) / wanted;
  receiver.close();
  return { perSecond: (wanted * 1_000) / time, ownMs, callsEach: calls / wanted };
}

/** Processor time of each of as many posts by bare `fetch` to such a receiver, 32 of them at once. */
async function bareFetch(): Promise<number> {
  const receiver = await startReceiver(() => 200);
  const usage = process.cpuUsage();
  await concurrently(
    every(deliveries, Number),
    async () => {
      await (await fetch(receiver.url('/'), { method: 'POST', body: '{}' })).text();
    },
    32,
  );
  const ownMs = processorMs(usage) / deliveries;
  receiver.close();
  return ownMs;
}

/** Deliveries per second and what they cost, after fan-out. */
async function measureCost(): Promise<Row[]> {
  const drains: Awaited<ReturnType<typeof deliver>>[] = [];
  const bares: number[] = [];
  // In turns, the first of which is not counted: what a busy machine adds to some leaves the median alone.
  for (let round = 0; round < 4; round += 1) {
    const drained = await deliver({ webhooks, events });
    const bare = await bareFetch();
    if (round === 0) continue;
    drains.push(drained);
    bares.push(bare);
  }
  const medianOf = (member: keyof (typeof drains)[number]) => median(drains.map((one) => one[member]));
  const [ownMs, callsEach, bareMs] = [medianOf('ownMs'), medianOf('callsEach'), median(bares)];
  const { perSecond: toOne } = await deliver({ webhooks: 1, events: ofBigCarrier }, answerMs);
  return [
    atMost(
      2.5,
      ownMs / bareMs,
      `processor time of a delivery to one of ${webhooks} healthy webhooks, without that of the database; ${count(medianOf('perSecond'))} a second`,
      `${ownMs.toFixed(2)} ms`,
      `bare fetch ${bareMs.toFixed(2)} ms`,
    ),
    atMost(0.5, callsEach, 'database calls per delivery after fan-out', callsEach.toFixed(2)),
    atLeast(150, toOne, `deliveries per second to one webhook that answers in ${answerMs} ms`, count(toOne)),
  ];
}

const organizations = scaled(50);
const webhooksEach = 20;
/** Rounds of one event for each organization, and how long each organization's turn lasts. */
const rounds = 2;
const turnMs = 500;
/** Stands for the 15 seconds of an exchange, so that the bench does not take minutes. */
const timeLimitMs = 3_000;

/** Of five webhooks one hangs and one responds with 500, where some fail; the other three are those whose waits are counted. */
const pathOf = (index: number, someFail: boolean): string => {
  if (index % 5 > 1) return '/counted';
  if (!someFail) return '/healthy';
  return index % 5 === 0 ? '/hanging' : '/refusing';
};

/**
 * Delivers events to many webhooks at a steady rate; answers how long those wait that are healthy in both runs. A first event for
 * everybody, which is not counted, shows who fails.
 */
async function p95OfHealthy(someFail: boolean): Promise<number> {
  const workers = await startWorkers(timeLimitMs);
  const sentAt = new Map<string, number>();
  const waits: number[] = [];
  const receiver = await startReceiver((path, { headers }) => {
    if (path === '/hanging') return 'hang';
    if (path === '/refusing') return 500;
    const sent = sentAt.get(String(headers['webhook-id']));
    if (sent !== undefined && path === '/counted') waits.push(performance.now() - sent);
    return 200;
  });
  const owners = every(organizations, newId);
  const paths = every(webhooksEach, (index) => pathOf(index, someFail));
  for (const owner of owners)
    await Promise.all(paths.map((path) => workers.newWebhook(owner, receiver.url(path))));
  const tell = async (isMeasured: boolean): Promise<void> => {
    for (const owner of owners) {
      const turn = pause(turnMs);
      const told = await workers.newEvents(owner, 1);
      if (isMeasured) for (const { eventId } of told) sentAt.set(eventId, performance.now());
      const wake = await workers.fanOut(told);
      await wake();
      await turn;
    }
  };
  await tell(false);
  // Until the last of the healthy queue's workers has learned who hangs.
  await pause(2 * timeLimitMs);
  for (let round = 0; round < rounds; round += 1) await tell(true);
  const wanted = rounds * organizations * paths.filter((path) => path === '/counted').length;
  for (const end = performance.now() + 60_000; waits.length < wanted && performance.now() < end; )
    await pause(10);
  receiver.close();
  await workers.stop();
  if (waits.length < wanted) throw new Error(`${wanted - waits.length} deliveries are missing.`);
  return quantile(waits, 0.95);
}

/** What deliveries cost, and how long healthy receivers wait while others fail. */
export async function measure(): Promise<Row[]> {
  const rows = await measureCost();
  const none = await p95OfHealthy(false);
  const some = await p95OfHealthy(true);
  const what = `${count(organizations * webhooksEach)} webhooks, a fifth hang, a fifth respond with 500: p95 of the healthy`;
  return [
    ...rows,
    atMost(1.2, some / none, what, `${some.toFixed(0)} ms`, `none fails ${none.toFixed(0)} ms`),
  ];
}
