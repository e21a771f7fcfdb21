import { setTimeout as pause } from 'node:timers/promises';
import { pageSizes } from '../../functions/webhook-delivery/drain.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import { putWebhook } from '../support/deliveries.ts';
import { startReceiver } from '../support/receiver.ts';
import { callsOf, startWorkers } from './delivery-workers.ts';
import { count, median, type Row } from './report.ts';

const [webhooks, events] = [20, 100] as const;
const deliveries = webhooks * events;
const leastRatio = 0.3;
const mostCalls = 1.5;

/** Milliseconds of processor time that this process, and so not the database, has taken for each delivery since then. */
const processorMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000 / deliveries;
};

/** Delivers events that are fanned out already, to receivers on this machine, until all are recorded. */
async function deliver() {
  const workers = await startWorkers();
  const receiver = await startReceiver(() => 200);
  const owner = newObjectId(new Date());
  for (let index = 0; index < webhooks; index += 1) {
    await putWebhook(workers.webhooks, owner, { url: receiver.url('/') });
  }
  const made = await workers.newEvents(owner, events);
  let wake = () => Promise.resolve();
  for (let from = 0; from < made.length; from += 10) {
    wake = await workers.fanOut(made.slice(from, from + 10), { wakes: false });
  }
  const [started, usage] = [performance.now(), process.cpuUsage()];
  const calls = await callsOf(async () => {
    await wake();
    while (receiver.got.length < deliveries) await pause(2);
    await workers.stop();
  });
  const seconds = (performance.now() - started) / 1_000;
  const ownMs = processorMs(usage);
  receiver.close();
  return { perSecond: deliveries / seconds, ownMs, callsEach: calls / deliveries };
}

const leastToOne = 150;
const answerMs = 300;
/** Several full pages of due entries. */
const ofBigCarrier = 20 * pageSizes.healthy;

/** Delivers many events to one webhook, whose receiver takes its time; deliveries a second, and the processor's share. */
async function deliverToOne() {
  const workers = await startWorkers();
  const receiver = await startReceiver(() => pause(answerMs, 200));
  const owner = newObjectId(new Date());
  await putWebhook(workers.webhooks, owner, { url: receiver.url('/') });
  const made = await workers.newEvents(owner, ofBigCarrier);
  let wake = () => Promise.resolve();
  for (let from = 0; from < made.length; from += 10) {
    wake = await workers.fanOut(made.slice(from, from + 10), { wakes: false });
  }
  const [started, usage] = [performance.now(), process.cpuUsage()];
  await wake();
  while (receiver.got.length < ofBigCarrier) await pause(2);
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(usage);
  await workers.stop();
  receiver.close();
  return { perSecond: ofBigCarrier / seconds, share: (user + system) / 1_000_000 / seconds };
}

/** As many posts by bare `fetch` to such a receiver, as many of them at once. */
async function bareFetch(atOnce: number) {
  const receiver = await startReceiver(() => 200);
  let left = deliveries;
  const [started, usage] = [performance.now(), process.cpuUsage()];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left > 0) {
        left -= 1;
        await (await fetch(receiver.url('/'), { method: 'POST', body: '{}' })).text();
      }
    }),
  );
  const ownMs = processorMs(usage);
  const perSecond = deliveries / ((performance.now() - started) / 1_000);
  receiver.close();
  return { perSecond, ownMs };
}

/** Deliveries per second and what they cost, after fan-out. */
export async function measureDeliveries(): Promise<Row[]> {
  const drains: Awaited<ReturnType<typeof deliver>>[] = [];
  const bares: Awaited<ReturnType<typeof bareFetch>>[] = [];
  // In turns, the first of which is not counted: what a busy machine adds to some leaves the median alone.
  for (let round = 0; round < 4; round += 1) {
    const drained = await deliver();
    const bare = await bareFetch(32);
    if (round === 0) continue;
    drains.push(drained);
    bares.push(bare);
  }
  const perSecond = median(drains.map((one) => one.perSecond));
  const callsEach = median(drains.map((one) => one.callsEach));
  const bare = median(bares.map((one) => one.perSecond));
  const toOne = await deliverToOne();
  const ownMs = median(drains.map((one) => one.ownMs));
  const bareMs = median(bares.map((one) => one.ownMs));
  return [
    {
      what: `deliveries per second to ${webhooks} healthy webhooks, each recorded in DynamoDB Local`,
      measured: count(perSecond),
      comparedWith: `bare fetch ${count(bare)}`,
      ratio: perSecond / bare,
      budget: `at least ${leastRatio}`,
      isWithin: perSecond / bare >= leastRatio,
    },
    {
      what: 'processor time of such a delivery, without that of the database',
      measured: `${ownMs.toFixed(2)} ms`,
      comparedWith: `bare fetch ${bareMs.toFixed(2)} ms`,
      ratio: bareMs / ownMs,
      budget: `at least ${leastRatio}`,
      isWithin: bareMs / ownMs >= leastRatio,
    },
    {
      what: 'database calls per delivery after fan-out',
      measured: callsEach.toFixed(2),
      budget: `at most ${mostCalls}`,
      isWithin: callsEach <= mostCalls,
    },
    {
      what: `deliveries per second to one webhook that answers in ${answerMs} ms`,
      measured: `${count(toOne.perSecond)}, with ${(100 * toOne.share).toFixed(0)} % of a processor, the receiver’s included`,
      budget: `at least ${leastToOne}`,
      isWithin: toOne.perSecond >= leastToOne,
    },
  ];
}
