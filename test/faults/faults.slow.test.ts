// A local run whose AWS calls fail, while carriers work with it. Whatever fails: nothing is lost, nothing is doubled but deliveries, no
// sale check is wrongly answered yes, sequences have no gaps, and each head is what its statements come to.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newYorkDate } from '#platform/dates/dates.ts';
import type { AwsMiddleware } from '../../infra/local/aws/endpoint.ts';
import { type LocalRun, type RunParts, startLocalRun } from '../../infra/local/local-run.ts';
import { type Faults, injectedFaults } from '../support/aws-faults/faults.ts';
import { type IndexLag, laggingIndexes } from '../support/aws-faults/index-lag.ts';
import { newDatabase } from '../support/engine.ts';
import { type EventReceiver, readEvent, startEventReceiver } from '../support/event-receiver.ts';
import { timeOn } from '../support/fast-clock/fast-clock.ts';
import { fastQueues } from '../support/fast-clock/fast-queues.ts';
import { fastWorker } from '../support/fast-clock/fast-worker.ts';
import { waitUntilIdle } from '../support/idle.ts';
import { messagesIn } from '../support/queues.ts';
import { draw } from '../support/seeded.ts';
import { until } from '../support/until.ts';
import { type Carrier, newCarrier } from './carriers.ts';
import { command } from './client.ts';
import { gaps, lostOnTheWay, lostOrDoubled, lostToOthers, unfinished, wrongHeads } from './invariants.ts';
import { type Done, operate } from './operations.ts';
import { changingRegistry } from './registry.ts';
import { faultKinds, seededFaults } from './seeded-faults.ts';
import { readState, type StoredState } from './stored-state.ts';

/** AWS calls that fail where a test says so and, with `lagOf`, indexes that lag behind their tables. */
const awsFaults =
  (decide: Faults, lagOf?: IndexLag) =>
  (parts: RunParts): AwsMiddleware => {
    const faults = injectedFaults(decide, parts);
    if (lagOf === undefined) return faults;
    const lag = laggingIndexes(parts.dynamo, lagOf);
    return (call, next) => faults(call, (other) => lag(call, () => next(other)));
  };

const isLong = process.env['FAULT_RUN'] === 'long';
const seed = process.env['FAULT_SEED'] ?? 'one';
/** By how much more often calls fail than one in thirty; the long run is harder on the service by far than AWS is. */
const rate = Number(process.env['FAULT_RATE'] ?? (isLong ? 5 : 2));
const wantedChanges = Number(process.env['FAULT_CHANGES'] ?? (isLong ? 10_000 : 40));
const recordsAtOnce = isLong ? 30 : 2;
const carrierCount = isLong ? 8 : 2;
/** Number of faults of each kind, at least. */
const leastOfKind = isLong ? 20 : 0;

/** A minute lasts three seconds: leases, retries, and windows need not be waited for. */
const clockSpeed = 20;

/** The longest after which less is on its way than before: a third retry waits half an hour, a hundred seconds here. */
const lessWithinMs = 300_000;
/** How long faults go on at most after the last operation. */
const faultsGoOnMs = isLong ? 15_000 : 5_000;

const redrivenQueues = [
  'compliance-changes',
  'compliance-changes-imports',
  'deliveries-healthy',
  'deliveries-failing',
  'license-sweep',
  'registry-sync',
  'registry-reconciliation',
  'webhook-fanout',
  'webhook-fanout-imports',
];
const deadLetterQueues = [...redrivenQueues, 'event-publisher', 'imported-event-publisher'].map(
  (queue) => `${queue}-dead`,
);

/** Schedules that do what is left; while calls fail, each fires twice, as a scheduler that delivers at least once may. */
const schedules = [
  'event-publisher-release',
  'event-publisher-republish',
  'webhook-delivery-wake-overdue',
  'registry-reconciliation-new-npns',
];
const fireEveryMs = 3_000;

/** Share of events of which the first delivery fails, and of which it hangs at one carrier's receiver. */
const failingShare = 0.01;
const hangingShare = 0.2;

/** Queues that hold messages. */
async function filled(queues: readonly string[]): Promise<string[]> {
  const counts = await Promise.all(queues.map(async (queue) => ({ queue, count: await messagesIn(queue) })));
  return counts.filter(({ count }) => count > 0).map(({ queue, count }) => `${queue} holds ${count}`);
}

/** Fires the schedules until it is stopped; a call that a fault ends is repeated the next time. */
function fireTwice(localRun: LocalRun): () => Promise<void> {
  let isOver = false;
  const firing = (async () => {
    while (!isOver) {
      for (const name of schedules)
        await Promise.allSettled([localRun.fireSchedule(name), localRun.fireSchedule(name)]);
      await pause(fireEveryMs);
    }
  })();
  return () => {
    isOver = true;
    return firing;
  };
}

/** Waits until nothing is on its way, and redrives dead letters, as an operator does when a fault is over. */
async function settle(localRun: LocalRun, carriers: readonly Carrier[]): Promise<StoredState> {
  let least = Number.POSITIVE_INFINITY;
  let deadline = 0;
  for (;;) {
    for (const name of schedules) await localRun.fireSchedule(name).catch(() => undefined);
    const isIdle = await Promise.race([
      waitUntilIdle(localRun).then(() => true),
      pause(10_000, false, { ref: false }),
    ]);
    const dead = await filled(deadLetterQueues);
    for (const queue of redrivenQueues)
      if (dead.some((line) => line.startsWith(`${queue}-dead `))) await command('redrive', { queue });
    const state = await readState();
    const left = [...dead, ...unfinished(state, carriers)];
    if (isIdle && left.length === 0) return state;
    if (left.length < least) deadline = Date.now() + lessWithinMs;
    least = Math.min(least, left.length);
    if (Date.now() > deadline)
      throw new Error(`Still on its way: ${left.length}, such as ${left.slice(0, 20).join('\n')}`);
    await pause(1_000);
  }
}

const faults = seededFaults(seed, rate);
/** Begins after the sweep of the day, and ends before midnight: what is imported on another day than it is swept for is not due. */
const today = newYorkDate(new Date());
const clock = { since: Date.now(), from: Date.parse(`${today}T12:00:00Z`), speed: clockSpeed };
const now = () => timeOn(clock, Date.now());
const registry = changingRegistry(seed, now);
let localRun: LocalRun;
let receiver: EventReceiver;
let logDirectory: string;

beforeAll(async () => {
  logDirectory = process.env['FAULT_LOGS'] ?? (await mkdtemp(join(tmpdir(), 'insurance-compliance-faults-')));
  localRun = await startLocalRun({
    logDirectory,
    engines: { dynamoDbLocal: newDatabase() },
    onError: () => undefined,
    awsMiddleware: (parts) => {
      const queues = fastQueues(clockSpeed);
      const impair = awsFaults(faults.decide, faults.indexLag)(parts);
      const hold = registry.hold(parts.dynamo);
      return (call, next) => impair(call, () => hold(call, () => queues(call, next)));
    },
    workerBundle: await fastWorker(logDirectory, clock),
    now,
  });
  process.env['TEST_BASE_URL'] = localRun.baseUrl;
  process.env['TEST_AWS_ENDPOINT'] = localRun.operator.endpoint;
  process.env['TEST_OPERATOR_KEY'] = localRun.operator.accessKeyId;
  process.env['TEST_DYNAMODB'] = JSON.stringify(localRun.dynamo);
  const failed = new Set<string>();
  receiver = await startEventReceiver((path, { body }) => {
    const { eventId } = readEvent(body);
    const number = draw(seed, eventId, 'receiver');
    const hangs = path === '/carrier-0' && number >= 1 - hangingShare;
    if (failed.has(eventId) || (!hangs && number >= failingShare)) return 204;
    failed.add(eventId);
    return hangs ? 'hang' : 500;
  });
});

afterAll(async () => {
  receiver.close();
  await localRun.stop();
  if (process.env['FAULT_LOGS'] === undefined) await rm(logDirectory, { recursive: true });
});

it('whatever fails, nothing is lost, doubled, wrongly yes, out of sequence, or folded wrongly', async () => {
  const carriers: Carrier[] = [];
  for (let index = 0; index < carrierCount; index += 1)
    carriers.push(await newCarrier(index, receiver, today));
  await waitUntilIdle(localRun);
  const startedAt = performance.now();
  faults.arm(true);
  const stopChanging = registry.start(carriers);
  const stopFiring = fireTwice(localRun);
  const sweep = () => command('run-license-sweep', { asOf: today }, ({ failed }) => failed === 0);
  const sweeping = sweep().then(sweep);
  const done = await operate(seed, wantedChanges, carriers, recordsAtOnce);
  const outcome = await sweeping;
  const sweeps = carriers.flatMap((carrier) =>
    carrier.dueLicenses.map((mark): Done => ({ kind: 'sweep', carrier, mark, subject: mark, outcome })),
  );
  // What follows from the operations goes wrong as well, for as long as it does not keep going wrong.
  await Promise.race([waitUntilIdle(localRun), pause(faultsGoOnMs, undefined, { ref: false })]);
  const missing = () => faultKinds.filter((kind) => (faults.injected.get(kind) ?? 0) < leastOfKind);
  await until(() => missing().length === 0, 500, 120_000).catch(() => undefined);
  await stopChanging();
  faults.arm(false);
  await stopFiring();
  const state = await settle(localRun, carriers);

  const broken = {
    lostOrDoubled: [
      ...lostOrDoubled([...done, ...sweeps], state),
      ...lostToOthers(state),
      ...carriers.flatMap((carrier) => lostOnTheWay(state, carrier, receiver)),
    ],
    wrongAnswers: await registry.wrongAnswers(),
    gaps: gaps(state),
    wrongHeads: wrongHeads(state),
  };
  const kinds = [...faults.injected].map(([kind, count]) => `${count} ${kind}`).join(', ');
  const counts = Object.entries(broken).map(([name, lines]) => `${name} ${lines.length}`);
  process.stdout.write(
    `Seed ${seed}, rate ${rate}: ${done.length} changes, ${state.events.length} events, ${receiver.got.length} deliveries, sale checks beside a changing registry ${JSON.stringify(registry.answers)}; faults: ${kinds}; ${counts.join(', ')}; ${Math.round((performance.now() - startedAt) / 1_000)} s\n`,
  );
  for (const lines of Object.values(broken)) lines.splice(30);
  expect(broken).toEqual({ lostOrDoubled: [], wrongAnswers: [], gaps: [], wrongHeads: [] });
  expect(missing()).toEqual([]);
}, 3_600_000);
