import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { sweep, sweepJobs } from '../../functions/license-sweep/function.ts';
import { agentKeys } from '../../shared/domain/agents/stored.ts';
import { type Boundary, boundaries, renewalDateAt } from '../../shared/domain/decision/renewal.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import type { License } from '../../shared/domain/registry/resources.ts';
import { entryPrefix } from '../../shared/domain/registry-records/license-entries.ts';
import {
  newSubscription,
  registryKeys,
  subscriptionIdOf,
  subscriptionItem,
} from '../../shared/domain/registry-records/stored.ts';
import { tables as designs } from '../../shared/domain/tables.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { itemsOf, writesOf } from '../../shared/platform/data/table.ts';
import { addDays, type CalendarDate } from '../../shared/platform/dates/dates.ts';
import { licenseOf } from '../support/agency-records.ts';
import { recordedItems } from '../support/holders.ts';
import { type SweepTables, sweepOn } from '../support/license-sweep.ts';
import { createTables, dynamo } from '../support/tables.ts';
import { atLeast, atMost, count, flat, type Row } from './report.ts';

const carrier = '65f0c1d2e3a4b5c6d7e8f900';
const agentId = '65f0c1d2e3a4b5c6d7e8f903';
const licensesOfNpn = 4;
const states = ['TX', 'OK', 'LA', 'NM'] as const;
const today = '2027-02-10';
const morning = new Date(`${today}T10:00:00.000Z`);
/** Jobs under way at once, as of two workers. */
const jobsAtOnce = 2;
/** Transactions under way at once without the sweep: as many as in that many jobs of it. */
const concurrency = 24 * jobsAtOnce;
/** Bare transactions to measure, before the sweep and after it; their rate does not depend on how many they are. */
const bareTransactions = 1_500;

/** What is held and not what lies about: the garbage is collected before each look at the heap. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const sampleLicense = (index: number, nextRenewalDate: CalendarDate): License => {
  const npn = String(1_000_000 + Math.floor(index / licensesOfNpn));
  return licenseOf({
    registryDataSubscriptionId: subscriptionIdOf(carrier, npn),
    npn,
    stateCode: states[index % licensesOfNpn] ?? 'TX',
    licenseNumber: String(2_000_000 + index),
    residencyStatus: index % licensesOfNpn === 0 ? 'resident' : 'non-resident',
    nextRenewalDate,
    expirationDate: nextRenewalDate,
  });
};

/** Three in ten licenses are due, half of them at each boundary; the others are spread over the year. */
function renewalDate(index: number): CalendarDate {
  const boundary = boundaries[index % 2] ?? 'EXPIRING';
  return index % 10 < 3 ? renewalDateAt(boundary, today) : addDays(today, 61 + (index % 300));
}

const put = (table: string, items: readonly Record<string, unknown>[]) =>
  concurrently(chunks(items, { count: 100 }), 4, (some) => writesOf(dynamo, table).putAll(some));

async function load(total: number, tables: SweepTables): Promise<void> {
  const npns = Array.from({ length: Math.ceil(total / licensesOfNpn) }, (_, index) =>
    String(1_000_000 + index),
  );
  const owner = { dataOwnerId: carrier, dataOwnerModel: 'upstreamEntity' } as const;
  await put(
    tables.agents,
    npns.map((npn) => ({ ...agentKeys.npn(carrier, npn), agentId })),
  );
  await put(
    tables.registryRecords,
    npns.map((npn) => subscriptionItem(carrier, newSubscription(owner, npn, 'agent'), new Date())),
  );
  await concurrently(chunks([...npns.keys()], { count: 25 }), 4, (some) =>
    writesOf(dynamo, tables.registryRecords).putAll(
      some
        .flatMap((npn) => {
          const first = npn * licensesOfNpn;
          const licenses = states.map((_, place) => sampleLicense(first + place, renewalDate(first + place)));
          return recordedItems(carrier, { licenses });
        })
        // The sweep of changes is none of what is measured.
        .filter(({ sk }) => !String(sk).startsWith('CHECK#')),
    ),
  );
}

/** The transactions of a sweep without the sweep: of licenses that are not due, so that none has an event. */
async function measureBare(total: number, first: number, tables: SweepTables): Promise<number> {
  const events = createEventItems(itemsOf(tables.outbox));
  const commands: TransactWriteItemsCommand[] = [];
  for (let index = first; commands.length < Math.min(bareTransactions, total / 10); index += 1) {
    const date = renewalDate(index);
    if (index % 10 < 3) continue;
    const boundary: Boundary = boundaries[index % 2] ?? 'EXPIRING';
    const license = sampleLicense(index, date);
    const items = recordedItems(carrier, { licenses: [license] });
    const entry = items.find(({ sk }) => String(sk).startsWith(entryPrefix));
    const key = { pk: String(entry?.['pk']), sk: String(entry?.['sk']) };
    const emitted = { upstreamEntityId: carrier, entityId: agentId };
    const steps = events(
      [
        {
          ...emitted,
          type: `AGENT_LICENSE_${boundary}`,
          payload: {
            agentId,
            ...license,
            nextRenewalDate: date,
            daysUntilExpiration: 60,
            expiringWindowDays: 60,
          },
        },
      ],
      morning,
    );
    commands.push(
      new TransactWriteItemsCommand({
        TransactItems: [
          {
            Put: {
              TableName: tables.registryRecords,
              Item: toItem({
                ...registryKeys.swept(boundary, key),
                renewalDate: date,
              }),
              ConditionExpression: 'attribute_not_exists(pk) OR renewalDate <> :date',
              ExpressionAttributeValues: toItem({ ':date': date }),
            },
          },
          {
            ConditionCheck: {
              TableName: tables.registryRecords,
              Key: toItem(key),
              ConditionExpression: 'renewalDate = :date',
              ExpressionAttributeValues: toItem({ ':date': date }),
            },
          },
          ...steps.map(({ write }) => write),
        ],
      }),
    );
  }
  const started = performance.now();
  await concurrently(commands, concurrency, async (command) => void (await dynamo.send(command)));
  return commands.length / ((performance.now() - started) / 1_000);
}

/** The jobs of one day. */
async function measureSweepOf(total: number) {
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
  const deps = sweepOn(
    tables,
    () => morning,
    (error) => {
      throw error;
    },
  );
  await load(total, tables);
  const before = await measureBare(total, 0, tables);
  let peak = 0;
  const watch = setInterval(() => {
    collectGarbage();
    peak = Math.max(peak, process.memoryUsage().heapUsed);
  }, 1_000);
  const started = performance.now();
  let emitted = 0;
  for await (const jobs of sweepJobs(morning, deps.store)) {
    await concurrently(jobs, jobsAtOnce, async (job) => {
      const { events } = await sweep(job, deps);
      emitted += events;
    });
  }
  const perSecond = emitted / ((performance.now() - started) / 1_000);
  clearInterval(watch);
  if (emitted !== (total * 3) / 10) throw new Error(`The sweep emitted events of ${emitted} licenses.`);
  const after = await measureBare(total, total / 2, tables);
  return { perSecond, barePerSecond: (before + after) / 2, peakMegabytes: peak / 2 ** 20 };
}

/** The license sweep of a tenth, and of the whole: its rate beside that of the bare transactions, and its memory. */
export async function measure(total = 100_000): Promise<Row[]> {
  const tenth = await measureSweepOf(total / 10);
  const whole = await measureSweepOf(total);
  const what = (licenses: number) => `license sweep, ${count(licenses * 0.3)} due of ${count(licenses)}`;
  const [wholeRate, tenthRate] = [count(whole.perSecond), count(tenth.perSecond)];
  const bare = `bare transactions ${count(whole.barePerSecond)} a second`;
  return [
    atLeast(0.8, whole.perSecond / whole.barePerSecond, what(total), `${wholeRate} a second`, bare),
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
