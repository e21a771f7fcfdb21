// What is recorded of a holder: it is read back, answers, and is lost by nobody.

import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { coverageOf, homeStateOn, rowsInForce } from '#domain/decision/coverage.ts';
import { never } from '#domain/decision/dates.ts';
import { recordsOnDay } from '#domain/decision/held.ts';
import { unknownNpn } from '#domain/registry/registry.ts';
import { partitionOf } from '#domain/registry-records/stored.ts';
import { recordKeys, saleItem } from '#domain/registry-records/stored-records.ts';
import { registryRecordsTable } from '#domain/tables.ts';
import { stateCodes } from '#platform/contract/primitives.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { tableOf } from '#platform/data/table.ts';
import { type Fault, withFaults } from '../support/faults.ts';
import { holdersIn, reportOf } from '../support/holders.ts';
import { risingClock } from '../support/rising-clock.ts';
import { sampleAppointment, sampleLicense } from '../support/sample-records.ts';
import { createTables, dynamo } from '../support/tables.ts';

const npn = '8123456';
let table: string;
let holders: ReturnType<typeof holdersIn>;
let owner: string;

beforeAll(async () => {
  table = (await createTables(['registryRecords'])).registryRecords;
  holders = holdersIn(table);
});

beforeEach(() => {
  owner = newObjectId(new Date());
});

type Report = Parameters<typeof reportOf>[0];
type Time = string | (() => Date);

const poll = (at: Time, report: Report) => holders.poll(owner, npn, at, reportOf(report));
const importLicenses = (at: Time, ...licenses: Parameters<typeof sampleLicense>[0][]) =>
  holders.import(owner, npn, at, { licenses: licenses.map((fields) => sampleLicense({ npn, ...fields })) });

const itemsOf = () => holders.itemsOf(owner, npn);

/** What lists show: status and renewal date of licenses, status and company of appointments. */
async function listed(day?: string) {
  return Array.from(await holders.shownOf(owner, npn, day), ([kind, { status, nextRenewalDate, ein }]) =>
    [kind[0], status, nextRenewalDate ?? ein].join(' '),
  ).sort();
}

/** What covers a day, as known at a moment: licenses by their numbers, appointments by the codes of their companies. */
async function covering(day: string, knownAt: string = never) {
  const coverage = coverageOf(await holders.recordsOf(owner, npn), knownAt);
  return [...coverage.values()]
    .flatMap(({ licenses, appointments }) => [
      ...rowsInForce(licenses, day).map(({ licenseNumber }) => licenseNumber),
      ...rowsInForce(appointments, day).map(({ companyCode }) => companyCode),
    ])
    .sort();
}

const live = { nextRenewalDate: '2027-03-31', expirationDate: '2027-03-31' };
const number = '1456789';
const company = '19437';

describe('what is recorded', () => {
  it('is read back whole, and is known by heads, in all states or in one with the home state, as by statements', async () => {
    const georgia = {
      stateCode: 'GA',
      licenseNumber: '2',
      residencyStatus: 'non-resident',
      ...live,
    } as const;
    await poll('2026-06-01T09:00:00Z', {
      licenses: [live, georgia],
      appointments: [{}, { stateCode: 'GA', companyCode: '1' }],
      actions: [],
    });
    // A report of the day before said that there is no such license.
    await importLicenses('2026-06-02T09:00:00Z', {
      ...live,
      licenseNumber: '3',
      stateCode: 'FL',
      residencyStatus: 'non-resident',
    });
    const all = await holders.recordsOf(owner, npn);
    const ofLicenses = all.statements.filter(({ kind }) => kind === 'license');
    expect(ofLicenses.map(({ stateCode, by, rows }) => [stateCode, by, rows.length])).toEqual([
      ['FL', 'import', 1],
      ['GA', 'registry', 1],
      ['TX', 'registry', 1],
    ]);
    expect(all.reports).toMatchObject([{ at: '2026-06-01T09:00:00.000Z', isFound: true }]);
    const folded = coverageOf(all, never);
    const read = await holders.coveragesOf(owner, [npn, '1'], { classKinds: [], statesOf: () => ['GA'] });
    expect([...(read.get('1')?.keys() ?? [])]).toEqual([]);
    const inGeorgia = read.get(npn);
    expect([...(inGeorgia?.keys() ?? [])]).toEqual(['GA']);
    expect(inGeorgia?.verifiedAt('GA')).toBe(folded.verifiedAt('GA'));
    for (const day of ['2026-07-01', '2030-01-01']) {
      const home = inGeorgia && homeStateOn(inGeorgia, day);
      expect(home).toMatchObject({ is: day < '2027-04-01' ? 'licensed' : 'not licensed' });
      expect(home).toEqual(homeStateOn(folded, day));
    }
    const whole = (await holders.coveragesOf(owner, [npn], { classKinds: [] })).get(npn);
    expect(whole && recordsOnDay(whole, '2026-07-01')).toEqual(recordsOnDay(folded, '2026-07-01'));
    expect(await holders.recordsOf(owner, null)).toMatchObject({ statements: [] });
    expect(await covering('2026-07-01')).toEqual(['1', number, company, '2'].sort());
  });

  it('is known by heads as by statements in a state of which it has a sale alone, and a row that may be of it', async () => {
    const unreadable = [{ kind: 'license' as const, stateCode: null, faults: ['stateCode'], written: {} }];
    await holders.poll(owner, npn, '2026-06-01T09:00:00Z', { ...reportOf({ licenses: [live] }), unreadable });
    const sale = { stateCode: 'GA', transactionId: owner, day: '2026-06-02', lines: [] };
    const stored = tableOf(registryRecordsTable, dynamo, table);
    await stored.put(saleItem(owner, npn, { ...sale, recordedAt: '2026-06-02T09:00:00.000Z' }));
    await stored.update(recordKeys.holder(owner, npn), { isSeller: true });
    const knownIn = async (statesOf?: () => readonly string[], knownAt?: string) => {
      const question = { classKinds: [], knownAt, ...(statesOf === undefined ? {} : { statesOf }) };
      const state = (await holders.coveragesOf(owner, [npn], question)).get(npn)?.get('GA');
      return [state?.unread, state?.sales.map(({ day }) => day)];
    };
    const known = [['license'], [sale.day]];
    expect(await knownIn(undefined, '2026-06-03T09:00:00.000Z')).toEqual(known);
    expect([await knownIn(), await knownIn(() => ['GA'])]).toEqual([known, known]);
  });

  it('is folded from what was recorded where the rules of another release left a head', async () => {
    await poll('2026-06-01T09:00:00Z', { licenses: [live], appointments: [{}], actions: [] });
    const known = async (): Promise<unknown> => {
      const coverage = (await holders.coveragesOf(owner, [npn], { classKinds: [] })).get(npn);
      return coverage && recordsOnDay(coverage, '2026-07-01');
    };
    const before = await known();
    const other = { rules: 0, content: '{}' };
    const key = { pk: partitionOf(owner, npn), sk: 'HEAD#TX' };
    expect(await tableOf(registryRecordsTable, dynamo, table).update(key, other)).toBe(true);
    expect(await known()).toEqual(before);
  });

  it('is no more than a moment for each night on which a report says the same, the last one of which verifies it', async () => {
    const report = { licenses: [live], appointments: [{}], actions: [] };
    expect(await poll('2026-01-01T09:00:00Z', report)).toBe(true);
    const first = await itemsOf();
    for (let day = 2; day <= 5; day += 1)
      expect(await poll(`2026-01-${String(day).padStart(2, '0')}T09:00:00Z`, report)).toBe(false);
    const items = await itemsOf();
    for (const some of [first, items]) some.delete('#HOLDER');
    expect(items).toEqual(first);
    const records = await holders.recordsOf(owner, npn);
    expect(records.reports.map(({ at }) => at.slice(8, 10))).toEqual(['01', '02', '03', '04', '05']);
    expect(coverageOf(records, never).verifiedAt('TX')).toBe('2026-01-05T09:00:00.000Z');
  });

  it('is no more than a moment of a file that says the same each day', async () => {
    const days = Array.from({ length: 4 }, (_, day) => `2026-01-0${day + 1}`);
    for (const day of days) await importLicenses(`${day}T09:00:00Z`, live);
    const { statements } = await holders.recordsOf(owner, npn);
    expect(statements).toMatchObject([
      {
        at: '2026-01-01T09:00:00.000Z',
        repetitions: days.slice(1).map((day) => ({ at: `${day}T09:00:00.000Z` })),
      },
    ]);
  });

  it('keeps the report by which an import no longer stands', async () => {
    const report = { licenses: [live], appointments: [], actions: [] };
    await poll('2026-01-01T09:00:00Z', report);
    await importLicenses('2026-01-02T09:00:00Z', { ...live, status: 'Surrendered' });
    const statusOn = async (day: string) => (await covering(day)).length;
    for (const day of ['2026-01-03', '2026-01-20', '2026-02-02', '2026-02-03', '2026-02-20', '2026-02-21'])
      await poll(`${day}T09:00:00Z`, report);
    expect(await statusOn('2026-02-01')).toBe(0);
    expect(await statusOn('2026-02-03')).toBe(1);
  });

  it('is an older report in its place', async () => {
    await poll('2026-06-10T09:00:00Z', { licenses: [live], appointments: [] });
    const old = { licenses: [live, { ...live, licenseNumber: '2' }], appointments: [] };
    const asked = '2026-06-01T09:00:00.000Z';
    await holders.poll(owner, npn, '2026-06-20T09:00:00Z', reportOf(old), { asked });
    expect(await covering('2026-06-05')).toEqual([number, '2']);
    expect(await covering('2026-06-15')).toEqual([number]);
    const items = await itemsOf();
    await holders.poll(owner, npn, '2026-06-21T09:00:00Z', reportOf(old), { asked });
    expect(await itemsOf()).toEqual(items);
  });

  it('is each report that says the same again: one of before that comes late counts until the next of them', async () => {
    await poll('2026-01-01T09:00:00Z', { licenses: [live] });
    for (const day of ['2026-01-20', '2026-02-10', '2026-02-21', '2026-03-10', '2026-04-10'])
      await poll(`${day}T09:00:00Z`, { licenses: [] });
    const asked = '2026-02-20T09:00:00.000Z';
    await holders.poll(owner, npn, '2026-04-11T09:00:00Z', reportOf({ licenses: [live] }), { asked });
    expect(await covering('2026-02-20')).toEqual([number]);
    expect(await covering('2026-02-21')).toEqual([]);
    expect(await covering('2026-03-20')).toEqual([]);
  });

  it('is whether the registry finds the NPN', async () => {
    const isNotFound = async () => coverageOf(await holders.recordsOf(owner, npn), never).isNotFound();
    await holders.poll(owner, npn, '2026-06-01T09:00:00Z', unknownNpn);
    expect(await isNotFound()).toBe(false);
    await poll('2026-06-02T09:00:00Z', { licenses: [live] });
    for (const day of ['03', '04', '05'])
      await holders.poll(owner, npn, `2026-06-${day}T09:00:00Z`, unknownNpn);
    expect(await isNotFound()).toBe(true);
    const { reports } = await holders.recordsOf(owner, npn);
    expect(reports).toHaveLength(5);
    await poll('2026-06-06T09:00:00Z', { licenses: [live] });
    expect(await isNotFound()).toBe(false);
  });

  it('is whether the registry finds the NPN of whom an import has something, by heads as by statements', async () => {
    const isNotFound = async (knownAt?: string) => {
      const question = { classKinds: [], knownAt, statesOf: () => ['TX'] };
      return (await holders.coveragesOf(owner, [npn], question)).get(npn)?.isNotFound();
    };
    await holders.poll(owner, npn, '2026-06-01T09:00:00Z', unknownNpn);
    await importLicenses('2026-06-02T09:00:00Z', live);
    expect([await isNotFound(), await isNotFound(never)]).toEqual([false, false]);
    await holders.poll(owner, npn, '2026-06-03T09:00:00Z', unknownNpn);
    expect([await isNotFound(), await isNotFound(never)]).toEqual([true, true]);
    await poll('2026-06-04T09:00:00Z', { licenses: [live] });
    expect([await isNotFound(), await isNotFound(never)]).toEqual([false, false]);
  });

  it('is one statement of a command, in however many calls it comes', async () => {
    const call = (licenseNumber: string) =>
      holders.import(
        owner,
        npn,
        '2026-06-01T09:00:00Z',
        { licenses: [sampleLicense({ ...live, npn, licenseNumber })] },
        { id: 'command' },
      );
    for (const licenseNumber of ['1', '2', '1']) await call(licenseNumber);
    const { statements } = await holders.recordsOf(owner, npn);
    expect(statements).toMatchObject([{ id: 'command', rows: [{}, {}] }]);
    expect(await call('2')).toBe(false);
  });
});

describe('lists', () => {
  it('show a license once, whatever its rows, and the sweep finds it by its last term', async () => {
    const former = { nextRenewalDate: '2026-07-31', expirationDate: '2026-07-31' };
    const next = { issueDate: '2026-08-01', nextRenewalDate: '2028-07-31', expirationDate: '2028-07-31' };
    for (const licenses of [
      [former, next],
      [next, former],
    ])
      await poll('2026-06-01T09:00:00Z', { licenses });
    expect(await listed('2026-07-31')).toEqual(['L active 2026-07-31']);
    const swept = [...(await itemsOf()).values()].flatMap(({ renewalKey }) => renewalKey ?? []);
    expect(swept).toEqual([
      expect.stringMatching(/^CHANGE#2026-08-01#/),
      expect.stringMatching(/^2028-07-31#/),
    ]);
    expect(await listed('2026-08-01')).toEqual(['L active 2028-07-31']);
  });

  it('show what was left out still, and the sweep no longer finds it', async () => {
    const renewalKeys = async () =>
      [...(await itemsOf()).values()].flatMap(({ sk, renewalKey }) =>
        renewalKey !== undefined && String(sk).startsWith('LICENSE') ? [renewalKey] : [],
      );
    await poll('2026-06-01T09:00:00Z', { licenses: [live] });
    expect(await renewalKeys()).toHaveLength(1);
    expect(await poll('2026-06-05T09:00:00Z', { licenses: [] })).toBe(true);
    expect(await listed()).toEqual(['L active 2027-03-31']);
    expect(await renewalKeys()).toEqual([]);
    await poll('2026-06-08T09:00:00Z', { licenses: [live] });
    expect(await renewalKeys()).toHaveLength(1);
    expect(await covering('2026-06-06')).toEqual([number]);
    expect(await covering('2026-06-06', '2026-06-07T00:00:00Z')).toEqual([]);
  });

  it('show the time of the last change of a row, which others of its statement do not have', async () => {
    const times = async () =>
      Array.from((await holders.shownOf(owner, npn)).values(), ({ licenseNumber, updatedAt }) => [
        licenseNumber,
        String(updatedAt).slice(0, 10),
      ]).sort();
    const other = { ...live, licenseNumber: '2' };
    await poll('2026-01-01T09:00:00Z', { licenses: [live, other] });
    await poll('2026-03-01T09:00:00Z', { licenses: [live, { ...other, status: 'inactive' }] });
    expect(await times()).toEqual([
      [number, '2026-01-01'],
      ['2', '2026-03-01'],
    ]);
  });

  it('show a regulatory action that a later report leaves out, with its id and since when it is known', async () => {
    const [action] = reportOf({ actions: [] }).actions ?? [];
    expect(action).toBeUndefined();
    const reported = {
      stateCode: 'TX' as const,
      actionId: '7',
      originOfAction: null,
      reasonForAction: null,
      disposition: 'Suspension',
      dateOfAction: '2026-05-01',
      effectiveDate: null,
      enterDate: null,
      fileRef: null,
      penaltyFineForfeitureInUSD: null,
      lengthOfOrderInDays: null,
    };
    await poll('2026-06-01T09:00:00Z', { actions: [reported] });
    const before = (await holders.shownOf(owner, npn)).get('ACTION#TX#7');
    await poll('2026-06-02T09:00:00Z', { actions: [{ ...reported, lengthOfOrderInDays: 30 }] });
    await poll('2026-06-03T09:00:00Z', { actions: [] });
    expect((await holders.shownOf(owner, npn)).get('ACTION#TX#7')).toEqual({
      ...before,
      lengthOfOrderInDays: 30,
      updatedAt: '2026-06-02T09:00:00.000Z',
    });
    const orders = coverageOf(await holders.recordsOf(owner, npn), never).get('TX')?.orders;
    expect(orders).toMatchObject([{ from: '2026-05-01', until: '2026-05-30' }]);
  });

  it('show nothing that an import says never was', async () => {
    await importLicenses('2026-06-01T09:00:00Z', live);
    expect(await holders.npnsOfLicense(owner, 'TX', ` 0${number}`)).toEqual([npn]);
    await holders.import(owner, npn, '2026-06-02T09:00:00Z', {
      licenses: [{ ...sampleLicense({ npn, ...live }), isDeleted: true }],
    });
    expect(await listed()).toEqual([]);
    expect(await holders.npnsOfLicense(owner, 'TX', number)).toEqual([]);
  });
});

describe('a statement of more rows than an item takes', () => {
  /** Rows that no compression makes small. */
  const many = (count: number, fields: object = {}) =>
    Array.from({ length: count }, (_, index) => ({
      companyCode: String(index),
      appointerStateCoId: randomBytes(20_000).toString('hex'),
      ...fields,
    }));
  const pieces = async () =>
    [...(await itemsOf()).values()].filter((item) => 'piece' in item).map(({ expiresAt }) => expiresAt);

  it('is read back from its pieces, which expire once it is replaced', async () => {
    const time = risingClock();
    const appointments = many(45).map((fields) => sampleAppointment({ npn, ...fields }));
    const record = (rows: typeof appointments) =>
      holders.import(owner, npn, time, { appointments: rows }, { id: 'command' });
    await record(appointments.slice(0, 30));
    const first = await pieces();
    expect(first.length).toBeGreaterThan(1);
    expect(first.every((expiresAt) => expiresAt === undefined)).toBe(true);
    await record(appointments.slice(30));
    const codes = appointments.map((row) => row.companyCode).sort();
    const records = await holders.recordsOf(owner, npn);
    const rows = records.statements.flatMap((statement) => statement.rows);
    expect(rows.flatMap((row) => ('companyCode' in row ? row.companyCode : [])).sort()).toEqual(codes);
    const known = await holders.coveragesOf(owner, [npn], { classKinds: [] });
    expect(known.get(npn)?.get('TX')?.appointments).toHaveLength(codes.length);
    const expiring = (await pieces()).filter((expiresAt) => expiresAt !== undefined);
    expect(expiring).toHaveLength(first.length);
    const before = await itemsOf();
    expect(await record(appointments)).toBe(false);
    expect(isDeepStrictEqual(await itemsOf(), before)).toBe(true);
  });

  it('has its pieces written again where another writer, who found them without it, had them expire', async () => {
    const time = risingClock();
    const appointments = many(100).map((fields) => sampleAppointment({ npn, ...fields }));
    const other = { appointments: [sampleAppointment({ npn, companyCode: '54321' })] };
    await beforeTransaction(
      0,
      () => holders.import(owner, npn, time, other),
      () => holders.import(owner, npn, time, { appointments }, { id: 'command' }),
    );
    const items = await itemsOf();
    const named = [...items.values()].flatMap(({ pieces: names }) => (names ?? []) as string[]);
    expect(named.some((sk) => sk.includes('#APPOINTMENT#'))).toBe(true);
    expect(named.filter((sk) => items.get(sk)?.['expiresAt'] !== undefined)).toEqual([]);
    // Those of the head that was refused.
    expect((await pieces()).filter((expiresAt) => expiresAt !== undefined)).not.toEqual([]);
  });
});

/** Does something before a transaction that follows so many others is sent. */
async function beforeTransaction<Result>(
  others: number,
  meet: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  let sent = 0;
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand') {
          sent += 1;
          if (sent === others + 1) await meet();
        }
        return next(args);
      },
    { step: 'initialize', name: 'meeting' },
  );
  try {
    return await work();
  } finally {
    dynamo.middlewareStack.remove('meeting');
  }
}

describe('two writers of one holder', () => {
  const renewed = { nextRenewalDate: '2028-03-31', expirationDate: '2028-03-31' };
  const time = risingClock();

  it('lose nothing: a visit that meets an import begins again, and so does an import', async () => {
    await beforeTransaction(
      0,
      () => importLicenses(time, { ...live, licenseNumber: '2', stateCode: 'GA' }),
      () => poll(time, { licenses: [renewed] }),
    );
    await beforeTransaction(
      0,
      () => poll(time, { licenses: [{ ...renewed, status: 'inactive' }] }),
      () => importLicenses(time, { ...live, licenseNumber: '3', stateCode: 'GA' }),
    );
    const { statements, reports } = await holders.recordsOf(owner, npn);
    expect(reports).toHaveLength(2);
    expect(statements.map(({ by }) => by).sort()).toEqual(['import', 'import', 'registry', 'registry']);
  });

  it('are as good as one after the other, at random', async () => {
    const numbers = Array.from({ length: 8 }, (_, index) => String(index + 1));
    await Promise.all([
      ...numbers.map((licenseNumber) => importLicenses(time, { ...live, licenseNumber })),
      poll(time, { appointments: [{}] }),
    ]);
    expect(await covering('2026-07-01')).toEqual([...numbers, company].sort());
    expect(await listed()).toHaveLength(9);
  });
});

describe('a report that takes several transactions', () => {
  it('is recorded whole where another writer comes between them', async () => {
    const ofStates = (status: string) =>
      stateCodes.map((stateCode) => ({ ...live, stateCode, status, residencyStatus: 'resident' as const }));
    await poll('2026-03-01T09:00:00Z', { licenses: ofStates('active') });
    await beforeTransaction(
      1,
      () => importLicenses('2026-03-05T09:00:00Z', { ...live, licenseNumber: '7' }),
      () =>
        holders.poll(owner, npn, '2026-03-05T09:00:01Z', reportOf({ licenses: ofStates('revoked') }), {
          asked: '2026-03-05T08:00:00.000Z',
        }),
    );
    expect(await covering('2026-03-10')).toEqual([]);
    const coverage = (await holders.coveragesOf(owner, [npn], { classKinds: [] })).get(npn);
    const held = [...(coverage?.values() ?? [])].flatMap(({ licenses }) =>
      rowsInForce(licenses, '2026-03-10'),
    );
    expect(held).toEqual([]);
  });

  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => ({ ...live, licenseNumber: String(from + index + 1) }));
  const time = risingClock();

  it('is made good by the next one where it stops after the first', async () => {
    await poll(time, { licenses: many(0, 20), appointments: [{}] });
    const day = time().toISOString().slice(0, 10);
    const report = { licenses: many(10, 130), appointments: [] };
    const crash = () => Promise.reject(new Error('It crashes here.'));
    await expect(beforeTransaction(1, crash, () => poll(time, report))).rejects.toThrow('It crashes here.');
    expect(await poll(time, report)).toBe(true);
    expect(await listed()).toHaveLength(131);
    expect(await covering(day)).toHaveLength(120);
    expect(await poll(time, report)).toBe(false);
  });
});

it('what an import recorded is the same wherever it broke off before it was repeated', async () => {
  const licenses = (['TX', 'GA'] as const).flatMap((stateCode) =>
    Array.from({ length: 60 }, (_, index) =>
      sampleLicense({
        npn,
        ...live,
        stateCode,
        licenseNumber: String(index),
      }),
    ),
  );
  let transactions = 0;
  /** Imports it, of which a transaction breaks off, and returns what is recorded. */
  const importTwice = async (place: number, fault: Fault) => {
    owner = newObjectId(new Date());
    const imports = (at: string, some: typeof licenses) =>
      holders.import(owner, npn, at, { licenses: some }, { id: at });
    await imports('2026-06-01T09:00:00Z', licenses.slice(0, 10));
    transactions = 0;
    const faultOf = (command: string): Fault => {
      if (command === 'TransactWriteItemsCommand') transactions += 1;
      return transactions === place ? fault : 'none';
    };
    const record = () => imports('2026-06-02T09:00:00Z', licenses);
    const first = withFaults(faultOf, record);
    await (fault === 'none' ? first : expect(first).rejects.toThrow('broke off'));
    await record();
    const items = [...(await itemsOf())].filter(([sk]) => /^(STATEMENT|HEAD)#/.test(sk));
    return items.map(([, { pk: _pk, ...item }]) => item);
  };
  const whole = await importTwice(0, 'none');
  const places = Array.from({ length: transactions }, (_, index) => index + 1);
  expect(places.length).toBeGreaterThan(1);
  // After one transaction is before the next one.
  for (const place of places) expect(await importTwice(place, 'before')).toEqual(whole);
  expect(await importTwice(places.length, 'after')).toEqual(whole);
});
