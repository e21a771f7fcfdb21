import { setTimeout as pause } from 'node:timers/promises';
import { pageSizes } from '../../functions/webhook-delivery/drain.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import { putWebhook } from '../support/deliveries.ts';
import { startReceiver } from '../support/receiver.ts';
import { dynamo } from '../support/tables.ts';
import { consumed } from './consumed.ts';
import { startWorkers } from './delivery-workers.ts';
import { atLeast, atMost, count, median, type Row } from './report.ts';

const [webhooks, events] = [20, 100] as const;
const deliveries = webhooks * events;
const mostProcessor = 2.5;
const mostCalls = 0.5;

/** Milliseconds of processor time that this process, and so not the database, has taken for each delivery since then. */
const processorMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000 / deliveries;
};

const leastToOne = 150;
const answerMs = 300;
/** Several full pages of due entries. */
const ofBigCarrier = 20 * pageSizes.healthy;

/** Delivers events that are fanned out already, to receivers on this machine, until all are recorded. */
async function deliver(howMany: { readonly webhooks: number; readonly events: number }, answerAfterMs = 0) {
  const workers = await startWorkers();
  const receiver = await startReceiver(() => (answerAfterMs === 0 ? 200 : pause(answerAfterMs, 200)));
  const owner = newObjectId(new Date());
  for (let index = 0; index < howMany.webhooks; index += 1)
    await putWebhook(workers.webhooks, owner, { url: receiver.url('/') });
  const made = await workers.newEvents(owner, howMany.events);
  let wake = () => Promise.resolve();
  for (let from = 0; from < made.length; from += 10)
    wake = await workers.fanOut(made.slice(from, from + 10), { wakes: false });
  const wanted = howMany.webhooks * howMany.events;
  const [started, usage] = [performance.now(), process.cpuUsage()];
  const { calls } = await consumed(dynamo, async () => {
    await wake();
    while (receiver.got.length < wanted) await pause(2);
    await workers.stop();
  });
  const seconds = (performance.now() - started) / 1_000;
  const ownMs = processorMs(usage);
  receiver.close();
  return { perSecond: wanted / seconds, ownMs, callsEach: calls / wanted };
}

/** As many posts by bare `fetch` to such a receiver, as many of them at once. */
async function bareFetch(atOnce: number) {
  const receiver = await startReceiver(() => 200);
  let left = deliveries;
  const usage = process.cpuUsage();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left > 0) {
        left -= 1;
        await (await fetch(receiver.url('/'), { method: 'POST', body: '{}' })).text();
      }
    }),
  );
  const ownMs = processorMs(usage);
  receiver.close();
  return ownMs;
}

/** Deliveries per second and what they cost, after fan-out. */
export async function measure(): Promise<Row[]> {
  const drains: Awaited<ReturnType<typeof deliver>>[] = [];
  const bares: number[] = [];
  // In turns, the first of which is not counted: what a busy machine adds to some leaves the median alone.
  for (let round = 0; round < 4; round += 1) {
    const drained = await deliver({ webhooks, events });
    const bare = await bareFetch(32);
    if (round === 0) continue;
    drains.push(drained);
    bares.push(bare);
  }
  const perSecond = median(drains.map((one) => one.perSecond));
  const callsEach = median(drains.map((one) => one.callsEach));
  const { perSecond: toOne } = await deliver({ webhooks: 1, events: ofBigCarrier }, answerMs);
  const ownMs = median(drains.map((one) => one.ownMs));
  const bareMs = median(bares);
  return [
    atMost(
      mostProcessor,
      ownMs / bareMs,
      `processor time of a delivery to one of ${webhooks} healthy webhooks, without that of the database; ${count(perSecond)} a second`,
      `${ownMs.toFixed(2)} ms`,
      `bare fetch ${bareMs.toFixed(2)} ms`,
    ),
    atMost(mostCalls, callsEach, 'database calls per delivery after fan-out', callsEach.toFixed(2)),
    atLeast(
      leastToOne,
      toOne,
      `deliveries per second to one webhook that answers in ${answerMs} ms`,
      count(toOne),
    ),
  ];
}
