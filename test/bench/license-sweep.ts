import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { sweep, sweepJobs } from '../../functions/license-sweep/function.ts';
import { agentKeys } from '../../shared/domain/agents/stored.ts';
import { boundaries, renewalDateAt } from '../../shared/domain/decision/renewal.ts';
import type { SweepDeps } from '../../shared/domain/license-sweep/sweep.ts';
import {
  newSubscription,
  subscriptionIdOf,
  subscriptionItem,
} from '../../shared/domain/registry-records/stored.ts';
import { tables as designs } from '../../shared/domain/tables.ts';
import { chunks, concurrently } from '../../shared/platform/data/concurrently.ts';
import { writesOf } from '../../shared/platform/data/table.ts';
import { addDays, type CalendarDate } from '../../shared/platform/dates/dates.ts';
import { recordedItems } from '../support/holders.ts';
import { sweepOn } from '../support/license-sweep.ts';
import { sampleLicense } from '../support/sample-records.ts';
import { createTables, dynamo } from '../support/tables.ts';
import { every, milliseconds, scaled } from './measuring.ts';
import { atLeast, atMost, count, flat, type Row } from './report.ts';
import { sellerNpn } from './sample-carrier.ts';

const carrier = '65f0c1d2e3a4b5c6d7e8f900';
const agentId = '65f0c1d2e3a4b5c6d7e8f903';
const states = ['TX', 'OK', 'LA', 'NM'] as const;
const today = '2027-02-10';
const morning = new Date(`${today}T10:00:00.000Z`);
/** Jobs under way at once, as of two workers. */
const jobsAtOnce = 2;
/** Transactions under way at once without the sweep: as many as in that many jobs of it. */
const transactionsAtOnce = 24 * jobsAtOnce;

/** What is held and not what lies about: the garbage is collected before each look at the heap. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Three in ten licenses are due, half of them at each boundary; the others are spread over the year. */
function renewalDate(index: number): CalendarDate {
  const boundary = boundaries[index % 2] ?? 'EXPIRING';
  return index % 10 < 3 ? renewalDateAt(boundary, today) : addDays(today, 61 + (index % 300));
}

/** An agent's subscription and licenses. */
function itemsOfHolder(holder: number): Record<string, unknown>[] {
  const npn = sellerNpn(holder);
  const owner = { dataOwnerId: carrier, dataOwnerModel: 'upstreamEntity' } as const;
  const licenses = states.map((stateCode, place) =>
    sampleLicense({
      registryDataSubscriptionId: subscriptionIdOf(carrier, npn),
      npn,
      stateCode,
      licenseNumber: `${npn}${place}`,
      residencyStatus: place === 0 ? 'resident' : 'non-resident',
      nextRenewalDate: renewalDate(holder * states.length + place),
    }),
  );
  return [
    subscriptionItem(carrier, newSubscription(owner, npn, 'agent'), new Date()),
    // The sweep of changes is none of what is measured.
    ...recordedItems(carrier, { licenses }).filter(({ sk }) => !String(sk).startsWith('CHECK#')),
  ];
}

/** A sweep over so many licenses. */
async function sweepOf(total: number): Promise<SweepDeps> {
  const { agents, associations, compliance, organizations, outbox, registryRecords } = designs;
  // Indexes that nothing here reads would only take time to fill.
  const tables = await createTables({
    agents: { ...agents, indexes: {} },
    associations: { ...associations, indexes: {} },
    compliance,
    organizations,
    outbox,
    registryRecords: {
      ...registryRecords,
      indexes: { 'by-renewal': registryRecords.indexes['by-renewal'] },
    },
  });
  const holders = every(total / states.length, Number);
  await concurrently(
    chunks(holders, { count: 100 }),
    async (some) => {
      const ofNpns = some.map((holder) => ({ ...agentKeys.npn(carrier, sellerNpn(holder)), agentId }));
      await writesOf(dynamo, tables.agents).putAll(ofNpns);
      await writesOf(dynamo, tables.registryRecords).putAll(some.flatMap(itemsOfHolder));
    },
    4,
  );
  return sweepOn(
    tables,
    () => morning,
    (error) => {
      throw error;
    },
  );
}

/** Does the jobs of one day; answers how many events a second they emit. */
async function sweepOnce(total: number, deps: SweepDeps): Promise<number> {
  let emitted = 0;
  const time = await milliseconds(async () => {
    for await (const jobs of sweepJobs(morning, deps.store)) {
      await concurrently(
        jobs,
        async (job) => {
          const { events } = await sweep(job, deps);
          emitted += events;
        },
        jobsAtOnce,
      );
    }
  });
  if (emitted !== (total * 3) / 10) throw new Error(`The sweep emitted events of ${emitted} licenses.`);
  return (emitted * 1_000) / time;
}

/** The transactions of a sweep, of which none was sent. */
async function transactionsOf(total: number): Promise<TransactWriteItemsCommand[]> {
  const deps = await sweepOf(total);
  const commands: TransactWriteItemsCommand[] = [];
  const send = dynamo.send.bind(dynamo) as (command: object) => Promise<unknown>;
  const collecting = async (command: object) => {
    if (!(command instanceof TransactWriteItemsCommand)) return send(command);
    commands.push(command);
    return {};
  };
  Object.assign(dynamo, { send: collecting });
  await sweepOnce(total, deps).finally(() => Object.assign(dynamo, { send }));
  return commands;
}

async function measureSweepOf(total: number) {
  const deps = await sweepOf(total);
  let peak = 0;
  const watch = setInterval(() => {
    collectGarbage();
    peak = Math.max(peak, process.memoryUsage().heapUsed);
  }, 1_000);
  const perSecond = await sweepOnce(total, deps).finally(() => clearInterval(watch));
  return { perSecond, peakMegabytes: peak / 2 ** 20 };
}

/** The license sweep of a tenth, and of the whole: its rate beside that of the bare transactions, and its memory. */
export async function measure(): Promise<Row[]> {
  const total = scaled(100_000);
  const transactions = await transactionsOf(total / 10);
  const half = Math.ceil(transactions.length / 2);
  const sendBare = async (some: readonly TransactWriteItemsCommand[]) => {
    const work = () =>
      concurrently(some, async (command) => void (await dynamo.send(command)), transactionsAtOnce);
    return (some.length * 1_000) / (await milliseconds(work));
  };
  const tenth = await measureSweepOf(total / 10);
  const before = await sendBare(transactions.slice(0, half));
  const whole = await measureSweepOf(total);
  const bare = (before + (await sendBare(transactions.slice(half)))) / 2;
  const what = (licenses: number) => `license sweep, ${count(licenses * 0.3)} due of ${count(licenses)}`;
  const [wholeRate, tenthRate] = [count(whole.perSecond), count(tenth.perSecond)];
  const bareRate = `bare transactions ${count(bare)} a second`;
  return [
    atLeast(0.8, whole.perSecond / bare, what(total), `${wholeRate} a second`, bareRate),
    atMost(
      1.25,
      tenth.perSecond / whole.perSecond,
      what(total / 10),
      `${tenthRate} a second`,
      `the whole ${wholeRate} a second`,
    ),
    flat('its heap at most', whole.peakMegabytes, tenth.peakMegabytes, 'of a tenth'),
  ];
}
