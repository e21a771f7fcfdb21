import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { agentKeys } from '../../shared/domain/agents/stored.ts';
import { jobsOf } from '../../shared/domain/license-sweep/jobs.ts';
import { sweepAll, sweepJobs } from '../../shared/domain/license-sweep/sweep.ts';
import { registryKeys } from '../../shared/domain/registry-records/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { writesOf } from '../../shared/platform/data/table-writes.ts';
import { addDays, datesFrom } from '../../shared/platform/dates/calendar.ts';
import { eventsIn } from '../support/events.ts';
import { everyItem } from '../support/every-item.ts';
import { lookingInto, sweepOnNewTables } from '../support/license-sweep.ts';
import {
  carrier,
  expired,
  expiring,
  licenseEvents,
  morning,
  put,
  putAgentNpn,
  putLicense,
  shards,
  sweepDeps,
  tables,
  today,
} from '../support/registry-records-tests.ts';
import { dynamo } from '../support/tables.ts';

/** Stores one license for each day, whose `EXPIRED` boundary is that day and whose NPN names it. */
async function expireOnEach(days: readonly string[]): Promise<void> {
  await Promise.all(days.map((day) => putLicense(day.replaceAll('-', ''), addDays(day, -1))));
}

const expiredOn = (days: readonly string[]) =>
  days.map((day) => `DOWNSTREAM_ENTITY_LICENSE_EXPIRED ${day.replaceAll('-', '')}`);

test('days without a sweep are swept with the next one, also after a day far ahead was swept', async () => {
  await expireOnEach(datesFrom('2027-01-08', '2027-01-18'));
  await sweepAll(morning('2027-06-01'), sweepDeps());
  await sweepAll(morning('2027-01-10'), sweepDeps());
  expect(await licenseEvents()).toEqual(expiredOn(['2027-01-10']));
  expect(await sweepAll(morning('2027-01-15'), sweepDeps())).toMatchObject({ days: 5, events: 5 });
  expect(await licenseEvents()).toEqual(expiredOn(datesFrom('2027-01-10', '2027-01-16')));
  expect(await sweepDeps().store.begin('2027-01-16')).toEqual([]);
});

test('catching up has no bound, and what is stored of complete days is an item a year', async () => {
  const { store } = sweepDeps();
  expect(await store.begin('2000-03-01')).toEqual([]);
  expect(await store.begin(today)).toEqual(datesFrom('2000-03-01', today));
  for (const day of datesFrom('2000-03-01', '2027-02-05')) {
    // Two a year are enough to show it.
    if (/-0[14]-01$/.test(day)) await store.finish(day, jobsOf(day, day));
  }
  expect(await store.begin('2000-04-02')).toEqual(datesFrom('2000-03-01', '2000-04-01'));
  const items = await everyItem(dynamo, tables.registryRecords);
  const years = Array.from({ length: 28 }, (_, index) => `YEAR#${2000 + index}`);
  expect(items.map(({ sk }) => sk).sort()).toEqual(['STATE', ...years]);
});

test('a day whose jobs are all done, and whose completion was not recorded, is not swept again', async () => {
  await sweepDeps().store.begin(today);
  const done = new Set(jobsOf(today, today).map(({ kind, shard }) => `${kind}#${shard}`));
  await put(tables.registryRecords, { ...registryKeys.sweepDay(today), done });
  const jobs: number[] = [];
  for await (const page of sweepJobs(morning(addDays(today, 1)), sweepDeps().store)) jobs.push(page.length);
  expect(jobs).toEqual([0, 48]);
  expect(await sweepDeps().store.begin(addDays(today, 1))).toEqual([]);
});

test('a license whose agent is deleted, or whose association is gone, emits nothing and blocks nothing', async () => {
  await putLicense('1', expiring, { isHeld: false });
  await putLicense('2', expired, { isHeld: false });
  await putAgentNpn('1');
  await dynamo.send(
    new DeleteItemCommand({ TableName: tables.agents, Key: toItem(agentKeys.npn(carrier, '1')) }),
  );
  await putLicense('3', expiring);
  expect(await sweepAll(morning(today), sweepDeps())).toEqual({
    days: 1,
    jobs: 48,
    licenses: 3,
    events: 1,
    failed: 0,
  });
  expect(await licenseEvents()).toEqual(['DOWNSTREAM_ENTITY_LICENSE_EXPIRING 3']);
  expect(await sweepDeps().store.begin(addDays(today, 1))).toEqual([]);
});

test('any sequence of sweeps loses no boundary and repeats none', async () => {
  const first = '2026-12-27';
  const days = datesFrom(first, addDays(first, 12));
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          day: fc.constantFrom(...days),
          /** Writes after which the sweep fails; undefined where it does not. */
          fails: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 2 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      async (sweeps) => {
        const run = await sweepOnNewTables(
          () => morning(first),
          () => undefined,
        );
        await expireOnEachIn(run.tables, days);
        const swept = new Set<string>();
        let earliest = days.at(-1) ?? first;
        for (const { day, fails } of sweeps) {
          let left = fails ?? Number.POSITIVE_INFINITY;
          const store: typeof run.deps.store = {
            ...lookingInto(shards, run.deps.store),
            mark: async (...given) => {
              if (left === 0) throw new Error('broken off');
              left -= 1;
              return run.deps.store.mark(...given);
            },
          };
          await sweepAll(morning(day), { ...run.deps, store });
          if (day < earliest) earliest = day;
          const covered = datesFrom(earliest, addDays(day, 1));
          const emitted = await expiredIn(run.tables.outbox);
          expect(new Set(emitted).size).toBe(emitted.length);
          if (fails === undefined) {
            for (const one of covered) swept.add(one);
            expect(emitted).toEqual(expect.arrayContaining([...swept]));
          }
          expect(emitted.every((one) => one >= earliest)).toBe(true);
        }
      },
    ),
    { numRuns: 2 },
  );
});

/** Stores in these tables what `expireOnEach` stores in the current test's. */
async function expireOnEachIn(into: typeof tables, days: readonly string[]): Promise<void> {
  await expireOnEach(days);
  await Promise.all(
    (['registryRecords', 'associations'] as const).map(async (name) =>
      writesOf(dynamo, into[name]).putAll(await everyItem(dynamo, tables[name])),
    ),
  );
}

/** The days of the `EXPIRED` boundaries that an outbox has events of. */
const expiredIn = async (outbox: string): Promise<string[]> =>
  (await eventsIn(outbox))
    .filter(({ type }) => type === 'DOWNSTREAM_ENTITY_LICENSE_EXPIRED')
    .map(({ payload }) => {
      const npn = Object(payload)['npn'] as string;
      return `${npn.slice(0, 4)}-${npn.slice(4, 6)}-${npn.slice(6)}`;
    })
    .sort();
