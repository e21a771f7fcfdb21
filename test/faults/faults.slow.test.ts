import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newYorkDate } from '#platform/dates/dates.ts';
import { type LocalRun, type RunParts, startLocalRun } from '../../infra/local/local-run.ts';
import { awsFaults } from '../support/aws-faults/middleware.ts';
import { slowRegistry } from '../support/aws-faults/slow-registry.ts';
import { newDatabase } from '../support/engine.ts';
import { type EventReceiver, readEvent, startEventReceiver } from '../support/event-receiver.ts';
import { timeOn } from '../support/fast-clock/fast-clock.ts';
import { fastQueues } from '../support/fast-clock/fast-queues.ts';
import { fastWorker } from '../support/fast-clock/fast-worker.ts';
import { messagesIn } from '../support/queues.ts';
import { until } from '../support/until.ts';
import { contradictions, unfinished } from './checks.ts';
import { follow } from './followers.ts';
import { operate } from './operate.ts';
import { command } from './operator.ts';
import { type Carrier, newCarrier } from './organizations.ts';
import {
  changingRegistry,
  contradictionsOfHeads,
  contradictionsOfRegistry,
  synchronizeFirst,
} from './registry.ts';
import { losable } from './restored.ts';
import { draw } from './seeded.ts';
import { type FaultRates, faultKinds, seededFaults } from './seeded-faults.ts';
import { readState, type StoredState } from './stored-state.ts';

// `npm run test:faults` sets how much is done; `FAULT_SEED` and `FAULT_RATE` do again what a run has printed.
const isLong = process.env['FAULT_RUN'] === 'long';
const given = process.env['FAULT_SEED'];
const seeds = given === undefined ? (isLong ? ['one'] : ['short']) : [given];
/** A folder in which the functions' logs stay, one folder a seed. */
const keptLogs = process.env['FAULT_LOGS'];
/** How many records are created or changed, at least. */
const wantedChanges = Number(process.env['FAULT_CHANGES'] ?? (isLong ? 10_000 : 12));
const recordsAtOnce = isLong ? 30 : 2;
const carrierCount = isLong ? 8 : 4;

/** How many faults there are of each kind, at least. */
const leastOfKind = isLong ? 20 : 1;

/** A minute lasts three seconds: what waits for a lease, a retry or a window need not be waited for. */
const clockSpeed = 20;

/**
 * Messages that failed are visible again still sooner: a queue hides them six times as long as its function may run, and one and
 * a half times is enough for a function to have ended.
 */
const visibilitySpeed = 4 * clockSpeed;

/**
 * The longest that anything is on its way after the last fault: a third retry of a delivery waits two hours, six minutes here.
 */
const settledWithinMs = 900_000;

/** How long a round of settling waits for what is on its way. */
const longestRoundMs = 10_000;

/** How long faults go on at most after the last operation. */
const faultsGoOnMs = isLong ? 15_000 : 5_000;

/** How long they go on after that, until each kind has occurred. */
const allKindsWithinMs = 120_000;

/** Queues whose dead letters an operator redrives. */
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
const everyQueue = [...redrivenQueues, ...deadLetterQueues];

/** Of how many events' first deliveries a receiver fails at one, and of how many one carrier's receiver hangs. */
const failingShare = 0.01;
const hangingShare = 0.2;
const hangingPath = '/carrier-0';

/** Rates at which the first fault runs settled, and of conflicts and broken connections what is in proportion to them. */
const onceRates: FaultRates = {
  throttle: 0.012,
  conflict: 0.002,
  'fail before': 0.01,
  'fail after': 0.01,
  crash: 0.0005,
  duplicate: 0.1,
  outage: 0.002,
};

/** How many times as often everything fails; the long run is harder on the service by far than AWS is. */
const faultRate = Number(process.env['FAULT_RATE'] ?? (isLong ? 5 : 1));
const rates = Object.fromEntries(
  Object.entries(onceRates).map(([kind, rate]) => [kind, rate * faultRate]),
) as Record<keyof FaultRates, number>;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Those of the queues that are not empty, with how much each holds. */
async function filled(queues: readonly string[]): Promise<string[]> {
  const counts = await Promise.all(queues.map(async (queue) => ({ queue, count: await messagesIn(queue) })));
  return counts.filter(({ count }) => count > 0).map(({ queue, count }) => `${queue} holds ${count}`);
}

/** Redrives what failed as often as a message may, as an operator does when the fault is over; answers how many there were. */
async function redriveAll(): Promise<number> {
  let redriven = 0;
  for (const queue of redrivenQueues) {
    if ((await messagesIn(`${queue}-dead`)) === 0) continue;
    const { data } = await command('redrive', { queue });
    redriven += Number(data['moved']);
  }
  return redriven;
}

/** Schedules that fire while things go wrong, each twice at once, as a scheduler that delivers at least once may. */
const firedTwice = [
  'event-publisher-release',
  'event-publisher-republish',
  'webhook-delivery-wake-overdue',
  'registry-reconciliation-new-npns',
  'index-lag-measure',
];
const fireEveryMs = 3_000;

/** Those that do what is left. */
const settling = firedTwice.filter((name) => name !== 'index-lag-measure');

/** Fires schedules until it is told to stop; a call that a fault ends is repeated the next time. */
function fireTwice(
  localRun: LocalRun,
  count: (kind: 'duplicate of the scheduler') => void,
): () => Promise<void> {
  let isOver = false;
  const firing = (async () => {
    while (!isOver) {
      for (const name of firedTwice) {
        await Promise.allSettled([localRun.fireSchedule(name), localRun.fireSchedule(name)]);
        count('duplicate of the scheduler');
      }
      await pause(fireEveryMs);
    }
  })();
  return () => {
    isOver = true;
    return firing;
  };
}

/** Waits until nothing is on its way; answers what is stored then. What the streams missed is published by the schedule. */
async function settled(
  localRun: LocalRun,
  carriers: readonly Carrier[],
): Promise<{ readonly state: StoredState; readonly redriven: number }> {
  let redriven = 0;
  let idle: Promise<boolean> | undefined;
  const deadline = Date.now() + settledWithinMs;
  for (;;) {
    // What failed keeps a queue busy until it is visible again; the schedules go on meanwhile.
    idle ??= localRun.waitUntilIdle().then(() => true);
    const isIdle = await Promise.race([idle, pause(longestRoundMs, false, { ref: false })]);
    if (isIdle) idle = undefined;
    const moved = await redriveAll();
    redriven += moved;
    const state = await readState();
    const left = unfinished(state, carriers);
    if (isIdle && moved === 0 && left.length === 0 && (await filled(deadLetterQueues)).length === 0)
      return { state, redriven };
    if (Date.now() > deadline) {
      const told = [...(isIdle ? [] : ['it is busy']), ...(await filled(everyQueue)), ...left.slice(0, 20)];
      throw new Error(`After ${settledWithinMs} ms still:\n${told.join('\n')}`);
    }
    // A call that a fault ends, or a slow machine, is repeated with the next round.
    for (const name of settling) await localRun.fireSchedule(name).catch(() => undefined);
    await pause(1_000);
  }
}

describe.each(seeds)('faults of seed %s', (seed) => {
  const faults = seededFaults(seed, rates, !isLong);
  const registry = changingRegistry(seed);
  const failed = new Set<string>();
  const clock = { since: Date.now(), speed: clockSpeed };
  const now = () => timeOn(clock, Date.now());
  let localRun: LocalRun;
  let receiver: EventReceiver;
  let logDirectory: string;
  let crash: RunParts['crash'];

  beforeAll(async () => {
    logDirectory =
      keptLogs === undefined
        ? await mkdtemp(join(tmpdir(), 'insurance-compliance-faults-'))
        : join(keptLogs, seed);
    localRun = await startLocalRun({
      logDirectory,
      engines: { dynamoDbLocal: newDatabase() },
      onError: () => undefined,
      awsMiddleware: (parts) => {
        crash = parts.crash;
        const queues = fastQueues(clockSpeed, visibilitySpeed);
        const impair = awsFaults(faults.decide, faults.indexLag)(parts);
        const slow = slowRegistry(parts.dynamo, registry.holdMs);
        return (call, next) => impair(call, () => slow(call, () => queues(call, next)));
      },
      workerBundle: await fastWorker(logDirectory, clock),
      now,
    });
    process.env['TEST_BASE_URL'] = localRun.baseUrl;
    process.env['TEST_AWS_ENDPOINT'] = localRun.awsEndpoint;
    process.env['TEST_OPERATOR_KEY'] = localRun.operatorAccessKeyId;
    process.env['TEST_DYNAMODB'] = JSON.stringify(localRun.dynamo);
    receiver = await startEventReceiver((path, { body }) => {
      const { eventId } = readEvent(body);
      if (failed.has(eventId)) return 204;
      const number = draw(seed, eventId, 'receiver');
      const hangs = path === hangingPath && number >= 1 - hangingShare;
      if (!hangs && number >= failingShare) return 204;
      failed.add(eventId);
      return hangs ? 'hang' : 500;
    });
  });

  afterAll(async () => {
    receiver.close();
    await localRun.stop();
    if (keptLogs === undefined) await rm(logDirectory, { recursive: true });
  });

  it('lose no event, emit none twice, and execute nothing twice', async () => {
    const carriers: Carrier[] = [];
    const today = newYorkDate(new Date());
    for (let index = 0; index < carrierCount; index += 1) {
      carriers.push(await newCarrier(index, receiver, today));
    }
    const [followed] = carriers.slice(1);
    if (followed === undefined) throw new Error('There is no carrier to follow.');
    const restore = await losable(followed, crash);
    const compare = await follow(followed);
    await synchronizeFirst(carriers);
    const startedAt = performance.now();
    faults.arm(true);
    const stopChanging = registry.change(carriers, () => new Date(now()));
    const stopFiring = fireTwice(localRun, faults.count);
    const done = await operate(seed, wantedChanges, carriers, { receiver, today, recordsAtOnce, restore });
    // What follows from the operations goes wrong as well, for as long as it does not keep going wrong.
    await Promise.race([localRun.waitUntilIdle(), pause(faultsGoOnMs, undefined, { ref: false })]);
    // A slow machine may not have come to all kinds by then.
    const missing = () => faultKinds.filter((kind) => (faults.injected()[kind] ?? 0) < leastOfKind);
    await until(() => missing().length === 0, 500, allKindsWithinMs).catch(() => undefined);
    const registryChanges = await stopChanging();
    faults.arm(false);
    await stopFiring();
    const operatedMs = performance.now() - startedAt;
    const { state, redriven } = await settled(localRun, carriers);

    await localRun.fireSchedule('index-lag-measure');
    const wrong = [
      ...contradictions(done, state, carriers, receiver),
      ...contradictionsOfRegistry(state, carriers),
      ...contradictionsOfHeads(state),
      ...(await compare(state)),
    ];
    const lost = wrong.filter((line) => line.endsWith(' is lost')).length;
    const operated = Array.from(
      Map.groupBy(done, ({ kind }) => kind),
      ([kind, ones]) => `${ones.length} ${kind}`,
    );
    const kinds = Object.entries(faults.injected()).map(([kind, count]) => `${count} ${kind}`);
    const outcomes = new Set(done.map(({ outcome }) => outcome));
    const retries = Array.from(outcomes).reduce((sum, { tries }) => sum + tries - 1, 0);
    const changes = done.filter(({ kind }) => kind !== 'sign in').length;
    print(
      [
        `Seed ${seed}, rate ${faultRate}: ${changes} changes by ${outcomes.size} operations, ${retries} requests repeated by clients`,
        operated.join(', '),
        `faults: ${kinds.join(', ')}`,
        `${state.events.length} events, ${receiver.got.length} deliveries, ${failed.size} failed by the receiver`,
        `${registryChanges} changes at the registry while its answers were on their way`,
        `${redriven} dead letters redriven`,
        `lost: ${lost}`,
        `${Math.round(operatedMs / 1_000)} s with faults, ${Math.round((performance.now() - startedAt) / 1_000)} s in all`,
      ].join('; '),
    );
    expect(wrong.slice(0, 30)).toEqual([]);
    expect(missing()).toEqual([]);
  }, 3_600_000);
});
