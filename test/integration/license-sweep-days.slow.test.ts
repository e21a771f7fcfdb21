import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { agentKeys } from '#domain/agents/stored.ts';
import { createRecordConfig } from '#domain/compliance/record-config.ts';
import { jobsOf } from '#domain/license-sweep/store.ts';
import type { License } from '#domain/registry/resources.ts';
import {
  checkDayItem,
  newSubscription,
  registryKeys,
  subscriptionItem,
} from '#domain/registry-records/stored.ts';
import { complianceTable } from '#domain/tables.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { tableOf, writesOf } from '#platform/data/table.ts';
import { addDays, datesFrom } from '#platform/dates/dates.ts';
import { sweepAll, sweepJobs } from '../../functions/license-sweep/function.ts';
import { eventsIn } from '../support/events.ts';
import { everyItem } from '../support/every-item.ts';
import { runs } from '../support/extent.ts';
import { withInterruption } from '../support/faults.ts';
import { holdersIn, reportOf } from '../support/holders.ts';
import { sweepOnNewTables } from '../support/license-sweep.ts';
import { organizationsIn } from '../support/organizations.ts';
import {
  licenseEvents,
  morning,
  put,
  putLicense,
  sweepDeps,
  tables,
  today,
} from '../support/registry-records-tests.ts';
import { dynamo } from '../support/tables.ts';

describe('license sweep days', () => {
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

  test('catching up has no bound, and what is stored of complete days is one item', async () => {
    const { store } = sweepDeps();
    expect(await store.begin('2000-03-01')).toEqual([]);
    expect(await store.begin(today)).toEqual(datesFrom('2000-03-01', today));
    for (const day of datesFrom('2000-03-01', '2027-02-05')) {
      // Two a year are enough to show it.
      if (/-0[14]-01$/.test(day)) await store.finish(day, jobsOf(day, day));
    }
    expect(await store.begin('2000-04-02')).toEqual(datesFrom('2000-03-01', '2000-04-01'));
    const items = await everyItem(dynamo, tables.registryRecords);
    expect(items.map(({ sk }) => sk).sort()).toEqual(['STATE']);
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
              ...run.deps.store,
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
      runs(2),
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
});

describe('sweep of changes', () => {
  const carrier = '65f0c1d2e3a4b5c6d7e8f900';
  const agency = '65f0c1d2e3a4b5c6d7e8f999';
  const npn = '17654321';

  let now: Date;
  let swept: Awaited<ReturnType<typeof sweepOnNewTables>>;

  /** 05:00 in New York, in summer. */
  const morning = (day: string): Date => new Date(`${day}T09:00:00.000Z`);

  const put = (TableName: string, item: Record<string, unknown>) =>
    dynamo.send(new PutItemCommand({ TableName, Item: toItem(item) }));

  beforeEach(async () => {
    swept = await sweepOnNewTables(
      () => now,
      (error) => {
        throw error;
      },
    );
    for (const [dataOwnerId, dataOwnerModel] of [
      [carrier, 'upstreamEntity'],
      [agency, 'downstreamEntity'],
    ] as const) {
      const subscription = newSubscription({ dataOwnerId, dataOwnerModel }, npn, null);
      await put(swept.tables.registryRecords, subscriptionItem(dataOwnerId, subscription, new Date()));
    }
    await put(swept.tables.agents, { ...agentKeys.npn(carrier, npn), agentId: '65f0c1d2e3a4b5c6d7e8f903' });
  });

  /** A poll of the registry at a time, which lists these licenses. */
  const poll = (
    at: string,
    licenses: readonly Partial<License>[],
    { owner = carrier, isSilent = false } = {},
  ) => holdersIn(swept.tables.registryRecords).poll(owner, npn, at, reportOf({ licenses }), { isSilent });

  /** Sweeps a day, and returns the events that came with it. */
  async function sweepOn(day: string): Promise<string[]> {
    now = morning(day);
    const before = new Set((await eventsIn(swept.tables.outbox)).map(({ eventId }) => eventId));
    await sweepAll(now, swept.deps);
    const events = (await eventsIn(swept.tables.outbox)).filter(({ eventId }) => !before.has(eventId));
    return events
      .map(({ type, payload }) => `${type} ${Object(payload).nextRenewalDate ?? ''}`.trim())
      .sort();
  }

  const until = (date: string | null, rest: Partial<License> = {}): Partial<License> => ({
    issueDate: '2020-01-01',
    nextRenewalDate: date,
    expirationDate: date,
    ...rest,
  });

  const changed = 'COMPLIANCE_INPUTS_CHANGED';

  test('whoever has a record that begins, or has ended, is checked again on that day, once, also days later', async () => {
    await poll('2026-06-01T12:00:00Z', [
      until('2026-06-10'),
      until(null, { licenseNumber: '2', issueDate: '2026-06-04' }),
      until('2026-06-06', { licenseNumber: '3' }),
    ]);
    expect(await sweepOn('2026-06-03')).toEqual([]);
    expect(await sweepOn('2026-06-04')).toEqual([changed]);
    expect(await sweepOn('2026-06-04')).toEqual([]);
    // Those of 5 to 8 June were missed.
    expect(await sweepOn('2026-06-09')).toEqual(['AGENT_LICENSE_EXPIRED 2026-06-06', changed]);
    expect(await sweepOn('2026-06-11')).toEqual(['AGENT_LICENSE_EXPIRED 2026-06-10', changed]);
    expect(await sweepOn('2026-06-12')).toEqual([]);
  });

  test('a license that had expired when it was first seen has no event once it was left out and is back', async () => {
    await poll('2026-07-01T12:00:00Z', [until('2026-05-05')]);
    await poll('2026-07-05T15:00:00Z', []);
    await poll('2026-07-09T15:00:00Z', [until('2026-05-05')]);
    expect((await sweepOn('2026-07-10')).filter((event) => event.includes('EXPIRED'))).toEqual([]);
  });

  test('a license without a beginning has its event, too, once its end is corrected to a past day', async () => {
    await poll('2026-04-30T12:00:00Z', [until('2027-06-10', { issueDate: null })]);
    await poll('2026-06-01T12:00:00Z', [until('2026-05-20', { issueDate: null })]);
    expect(await sweepOn('2026-06-02')).toContain('AGENT_LICENSE_EXPIRED 2026-05-20');
  });

  test('a license that passed its end while it was left out has its event once it is back', async () => {
    await poll('2026-07-01T12:00:00Z', [until('2026-07-08')]);
    await poll('2026-07-05T15:00:00Z', []);
    await poll('2026-07-09T15:00:00Z', [until('2026-07-08')]);
    expect(await sweepOn('2026-07-10')).toContain('AGENT_LICENSE_EXPIRED 2026-07-08');
  });

  test('a change of records before the sweep of the day leaves that day to the sweep', async () => {
    await poll('2026-06-01T12:00:00Z', [until('2026-06-10'), until('2027-01-01', { licenseNumber: '2' })]);
    // 01:00 in New York.
    await poll('2026-06-11T05:00:00Z', [until('2026-06-10')], { isSilent: true });
    expect(await sweepOn('2026-06-11')).toEqual(['AGENT_LICENSE_EXPIRED 2026-06-10', changed]);
  });

  describe('a day of change that a poll brings nearer', () => {
    const before = [until('2026-06-10'), until('2027-01-01', { licenseNumber: '2' })];
    const newPoll = () =>
      poll('2026-06-11T09:00:00Z', [until('2026-06-10'), until('2026-06-25', { licenseNumber: '2' })]);
    const sweepOfDay = () => sweepOn('2026-06-11');

    /** Has other work come right after the first read of what is recorded of the NPN. */
    const afterReading = (interrupt: () => Promise<unknown>, work: () => Promise<unknown>) =>
      withInterruption(
        (command, input) => command === 'QueryCommand' && JSON.stringify(input).includes(`#NPN#${npn}"`),
        interrupt,
        work,
      );

    it.each([
      ['during the sweep of the earlier day', () => afterReading(newPoll, sweepOfDay)],
      ['before that sweep, and is over after it', () => afterReading(sweepOfDay, newPoll)],
    ])('is swept, when the poll begins %s', async (_, meet) => {
      await poll('2026-06-01T12:00:00Z', before);
      await meet();
      expect(await sweepOn('2026-06-26')).toContain(changed);
    });
  });

  test('an agency’s own records send no events, and are found on their next day all the same', async () => {
    await poll('2026-06-01T12:00:00Z', [until('2026-06-10'), until('2026-06-20', { licenseNumber: '2' })], {
      owner: agency,
    });
    const checkDays = async () =>
      [...(await holdersIn(swept.tables.registryRecords).itemsOf(agency, npn)).keys()].filter((sk) =>
        sk.startsWith('CHECK#'),
      );
    expect(await checkDays()).toEqual(['CHECK#2026-06-11']);
    expect(await sweepOn('2026-06-11')).toEqual([]);
    expect(await checkDays()).toEqual(['CHECK#2026-06-21']);
    expect(await sweepOn('2026-06-21')).toEqual([]);
    expect(await checkDays()).toEqual([]);
  });

  test('a config that begins has everybody checked on that day, once', async () => {
    now = new Date('2026-06-01T12:00:00Z');
    const recordConfig = createRecordConfig(tableOf(complianceTable, dynamo, swept.tables.compliance));
    const productId = '65f0c1d2e3a4b5c6d7e8f905';
    for (const validFrom of ['2026-05-01', '2026-06-05']) {
      const config = { productId, productName: validFrom, states: [], validFrom };
      await recordConfig(carrier, { config, isSilent: false, mustExist: false }, now, () => []);
    }
    expect(await sweepOn('2026-06-04')).toEqual([]);
    expect(await sweepOn('2026-06-05')).toEqual([changed]);
    expect(await sweepOn('2026-06-05')).toEqual([]);
    expect(
      (await eventsIn(swept.tables.outbox)).map(({ entityId, payload }) => ({ entityId, payload })),
    ).toEqual([{ entityId: productId, payload: {} }]);
  });

  test('a company code that begins, or has ended, has everybody checked on that day, once', async () => {
    const naicCodes = [
      { code: '22314', until: '2026-06-04' },
      { code: '10847', from: '2026-06-07' },
      '19437',
    ];
    const owner = await organizationsIn(swept.tables.organizations)('upstreamEntity', { naicCodes });
    const days = ['2026-06-04', '2026-06-05', '2026-06-05', '2026-06-06', '2026-06-07'];
    const checked = [];
    for (const day of days) checked.push(await sweepOn(day));
    expect(checked).toEqual([[], [changed], [], [], [changed]]);
    const [event] = await eventsIn(swept.tables.outbox);
    expect(event).toMatchObject({ upstreamEntityId: owner, payload: {} });
  });

  describe('A21: a renewal date that is corrected', () => {
    it.each([
      ['past its end', until('2027-06-10'), until('2026-05-20'), ['AGENT_LICENSE_EXPIRED 2026-05-20']],
      ['from none', until(null), until('2026-05-20'), ['AGENT_LICENSE_EXPIRED 2026-05-20']],
      ['from one past end to another', until('2026-04-20'), until('2026-05-20'), []],
      ['into the sixty days before its end', until('2027-06-10'), until('2026-06-20'), []],
    ])('%s: the next sweep reports what has passed', async (_, before, after, expected) => {
      const licenses = (events: readonly string[]) => events.filter((event) => event !== changed);
      await poll('2026-05-30T12:00:00Z', [before]);
      expect(licenses(await sweepOn('2026-05-31'))).toEqual([]);
      await poll('2026-06-01T12:00:00Z', [after]);
      // Another license changes, before the sweep and after it.
      await poll('2026-06-01T13:00:00Z', [after, until('2030-01-01', { licenseNumber: '2' })]);
      expect(licenses(await sweepOn('2026-06-02'))).toEqual(expected);
      await poll('2026-06-02T13:00:00Z', [after]);
      expect(licenses(await sweepOn('2026-06-03'))).toEqual([]);
    });

    it('by an import without events is not reported, nor is a license that was not known before', async () => {
      await poll('2026-05-30T12:00:00Z', [until('2027-06-10')]);
      await poll('2026-06-01T12:00:00Z', [until('2026-05-20')], { isSilent: true });
      await poll('2026-06-01T13:00:00Z', [until('2026-05-20'), until('2026-05-20', { licenseNumber: '2' })]);
      expect(await sweepOn('2026-06-02')).toEqual([]);
    });
  });

  test('whoever has an appointment that is overdue from a day on is checked again on that day, once', async () => {
    await put(swept.tables.registryRecords, checkDayItem(carrier, npn, '2026-06-11'));
    expect(await sweepOn('2026-06-10')).toEqual([]);
    expect(await sweepOn('2026-06-11')).toEqual([changed]);
    expect(await sweepOn('2026-06-11')).toEqual([]);
  });
});
