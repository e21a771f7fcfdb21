import { setTimeout as pause } from 'node:timers/promises';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import { putWebhook } from '../support/deliveries.ts';
import { startReceiver } from '../support/receiver.ts';
import { startWorkers } from './delivery-workers.ts';
import { atMost, type Row } from './report.ts';

const organizations = 50;
const webhooksEach = 20;
/** Rounds of one event for each organization, and how long each lasts. */
const rounds = 2;
const roundMs = 25_000;
/** Stands for the 15 seconds of an exchange, so that the bench does not take minutes. */
const timeLimitMs = 3_000;

type Kind = 'healthy' | 'hanging' | 'refusing';

/** Of five webhooks one hangs and one responds with 500. */
const kindOf = (index: number, someFail: boolean): Kind => {
  if (!someFail || index % 5 > 1) return 'healthy';
  return index % 5 === 0 ? 'hanging' : 'refusing';
};

/**
 * Delivers events to 1,000 webhooks at a steady rate; answers how long those wait that are healthy in both runs. A first
 * event for everybody, which is not counted, shows who fails.
 */
async function run(someFail: boolean) {
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
  const owners = Array.from({ length: organizations }, () => newObjectId(new Date()));
  for (const owner of owners) {
    await Promise.all(
      Array.from({ length: webhooksEach }, (_, index) => {
        const kind = kindOf(index, someFail);
        const isCounted = kindOf(index, true) === 'healthy';
        return putWebhook(workers.webhooks, owner, {
          url: receiver.url(kind === 'healthy' ? (isCounted ? '/counted' : '/healthy') : `/${kind}`),
        });
      }),
    );
  }
  const tell = async (isMeasured: boolean): Promise<void> => {
    for (const owner of owners) {
      const due = performance.now() + roundMs / organizations;
      const events = await workers.newEvents(owner, 1);
      if (isMeasured) for (const { eventId } of events) sentAt.set(eventId, performance.now());
      await workers.fanOut(events);
      await pause(Math.max(0, due - performance.now()));
    }
  };
  await tell(false);
  // Until the last of the healthy queue's workers has learned who hangs.
  await pause(2 * timeLimitMs);
  for (let round = 0; round < rounds; round += 1) await tell(true);
  const wanted =
    rounds *
    organizations *
    Array.from({ length: webhooksEach }).filter((_, index) => kindOf(index, true) === 'healthy').length;
  for (const end = performance.now() + 60_000; waits.length < wanted && performance.now() < end; )
    await pause(10);
  receiver.close();
  await workers.stop();
  const sorted = waits.toSorted((one, other) => one - other);
  return {
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN,
    missing: wanted - waits.length,
  };
}

/** How long healthy receivers wait while others fail. */
export async function measure(): Promise<Row[]> {
  const none = await run(false);
  const some = await run(true);
  if (some.missing > 0) throw new Error(`${some.missing} deliveries are missing.`);
  return [
    atMost(
      1.2,
      some.p95 / none.p95,
      '1,000 webhooks, a fifth hang, a fifth respond with 500: p95 of the healthy',
      `${some.p95.toFixed(0)} ms`,
      `none fails ${none.p95.toFixed(0)} ms`,
    ),
  ];
}
