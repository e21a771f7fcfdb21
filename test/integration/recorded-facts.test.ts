import { createSynchronizationStore } from '../../functions/registry-sync/store.ts';
import { coverageOf } from '../../shared/domain/decision/coverage.ts';
import { includes, never } from '../../shared/domain/decision/dates.ts';
import type { Appointment, License } from '../../shared/domain/registry/resources.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/store.ts';
import { createSubscriberRecords } from '../../shared/domain/registry-records/subscriber-records.ts';
import { registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { collect } from '../../shared/platform/data/concurrently.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { registryRecords } from '../support/agents-tests.ts';
import { clock, importLines, newOwner, now, tables } from '../support/carrier-records.ts';
import { holdersIn, reportOf } from '../support/holders.ts';
import { license as licenseLine } from '../support/import-lines.ts';
import { importedBy, importFunctionOf } from '../support/imports.ts';
import { queueJob } from '../support/registry-records.ts';
import { risingClock } from '../support/rising-clock.ts';
import { sampleAppointment, sampleLicense } from '../support/sample-records.ts';
import { dynamo } from '../support/tables.ts';

const npn = '8123456';
const holders = () => holdersIn(tables.registryRecords);
/** Without what is known of visits, which every visit writes. */
const itemsOf = async (owner: string) => {
  const items = await holders().itemsOf(owner, npn);
  items.delete('FACT#VISITS');
  return items;
};
const poll = (owner: string, at: string | (() => Date), report: Parameters<typeof reportOf>[0]) =>
  holders().poll(owner, npn, at, reportOf(report));

const held = async (owner: string) => ({
  licenses: (await collect(registryRecords().licensesOf(owner, npn))).map(
    ({ status, nextRenewalDate }) => `${status} to ${nextRenewalDate}`,
  ),
  appointments: (await collect(registryRecords().appointmentsOf(owner, npn))).map(
    ({ status, ein }) => `${status} ${ein}`,
  ),
});

/** Whether any license covers a day, and any appointment, as known at a moment. */
async function covered(owner: string, day: string, knownAt: string = never): Promise<[boolean, boolean]> {
  const facts = await createRecordedFacts(
    tableOf(registryRecordsTable, dynamo, tables.registryRecords),
  ).factsOf(owner, npn);
  const states = [...coverageOf(facts, knownAt).values()];
  const isCovered = (records: readonly { readonly spans: readonly { from: string; until: string }[] }[]) =>
    records.some(({ spans }) => spans.some((span) => includes(span, day)));
  return [
    isCovered(states.flatMap(({ terms }) => terms)),
    isCovered(states.flatMap(({ appointments }) => appointments)),
  ];
}

const line = (fields: Partial<License> & { validFrom?: string; isDeleted?: boolean } = {}) => {
  const { registryDataSubscriptionId: _id, updatedAt: _at, ...own } = sampleLicense({ npn });
  return licenseLine({ ...own, ...fields });
};
const appointmentLine = (fields: Partial<Appointment> & { isDeleted?: boolean } = {}) => {
  const { registryDataSubscriptionId: _id, updatedAt: _at, ...own } = sampleAppointment({ npn });
  return { type: 'appointment', ...own, ...fields };
};

const facts = async (owner: string) =>
  [...(await itemsOf(owner)).keys()].filter((sk) => sk.startsWith('FACT#'));

beforeEach(() => {
  clock.time = new Date('2026-07-01T12:00:00.000Z');
});

describe('rows are a set', () => {
  const ended = { status: 'Terminated', statusChangeDate: '2021-05-01', renewalDate: null };
  const appointed = { status: 'Appointed', statusChangeDate: '2022-05-01', renewalDate: null };
  const live = { nextRenewalDate: '2027-03-31', expirationDate: '2027-03-31' };
  const lapsed = { status: 'inactive', nextRenewalDate: '2019-03-31', expirationDate: '2019-03-31' };

  it.each([
    ['one order', [appointed, ended], [live, lapsed]],
    ['the other', [ended, appointed], [lapsed, live]],
  ])('of which none is lost, in %s', async (_, appointments, licenses) => {
    const owner = await newOwner();
    await poll(owner, '2026-06-01T09:00:00Z', { appointments, licenses });
    const records = await held(owner);
    expect(records.licenses.sort()).toEqual(['active to 2027-03-31', 'inactive to 2019-03-31']);
    expect(records.appointments).toHaveLength(2);
    expect(await covered(owner, '2026-07-01')).toEqual([true, true]);
    const before = await itemsOf(owner);
    expect(
      await poll(owner, '2026-06-02T09:00:00Z', {
        appointments: appointments.toReversed(),
        licenses: licenses.toReversed(),
      }),
    ).toBe(false);
    expect(await itemsOf(owner)).toEqual(before);
    // The sweep asks for the end of the row that counts.
    const swept = [...before.values()].flatMap(({ renewalKey, status }) => (renewalKey ? [status] : []));
    expect(swept).toEqual(['active']);
  });

  it('also in an import: appointments of two companies that only their EINs tell apart', async () => {
    const owner = await newOwner();
    const unnamed = { companyCode: null, carrierName: null };
    await importLines(owner, [
      appointmentLine({ ...unnamed, ein: '75-1234567' }),
      appointmentLine({ ...unnamed, ein: '75-7654321' }),
    ]);
    expect((await held(owner)).appointments.sort()).toEqual(['active 75-1234567', 'active 75-7654321']);
    await importLines(owner, [appointmentLine({ ...unnamed, ein: '75-7654321', isDeleted: true })]);
    expect((await held(owner)).appointments).toEqual(['active 75-1234567']);
  });
});

describe('what is written', () => {
  const license = { nextRenewalDate: '2027-03-31', expirationDate: '2027-03-31' };
  const report = { licenses: [license], appointments: [{}] };

  it('is nothing for a list that says what is recorded, however often and by whomever', async () => {
    const owner = await newOwner();
    await poll(owner, '2026-01-01T09:00:00Z', report);
    const first = await itemsOf(owner);
    // The number of the last change, the day of the next one, what is repeated of the home state, and of each row a fact, what is held, and
    // the end of its list.
    expect(first.size).toBe(3 + 2 * 3);
    for (let day = 2; day <= 30; day += 1) {
      expect(await poll(owner, `2026-01-${String(day).padStart(2, '0')}T09:00:00Z`, report)).toBe(false);
    }
    expect(await itemsOf(owner)).toEqual(first);
    await importLines(owner, [line(license), appointmentLine()]);
    clock.time = new Date('2026-07-02T12:00:00.000Z');
    await importLines(owner, [line(license), appointmentLine()]);
    expect(await itemsOf(owner)).toEqual(first);
  });

  it('is no change of a row that stays while another one of its term changes', async () => {
    const owner = await newOwner();
    const other = { ...license, licenseClassName: 'Other' };
    const times = async () =>
      (await collect(registryRecords().licensesOf(owner, npn)))
        .map(({ licenseClassName, updatedAt }) => `${licenseClassName} ${updatedAt.slice(0, 10)}`)
        .sort();
    await poll(owner, '2026-01-01T09:00:00Z', { licenses: [license, other] });
    await poll(owner, '2026-03-01T09:00:00Z', { licenses: [license, { ...other, status: 'inactive' }] });
    expect(await times()).toEqual(['Other 2026-03-01', 'Property and Casualty Agency 2026-01-01']);
  });

  it('is a fact for each change, by whom and when, and the item of what is held by then', async () => {
    const owner = await newOwner();
    await poll(owner, '2026-01-01T09:00:00Z', { licenses: [license] });
    await poll(owner, '2026-03-01T09:00:00Z', { licenses: [{ ...license, status: 'inactive' }] });
    const items = [...(await itemsOf(owner)).values()];
    expect(items.filter(({ what }) => what === 'stated')).toMatchObject(
      ['2026-01-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z'].map((at) => ({
        commandAt: at,
        recordedAt: at,
        by: 'reconciliation',
        isSilent: false,
        rows: [{ npn, registryDataSubscriptionId: expect.any(String), updatedAt: at }],
      })),
    );
    const present = items.filter(({ listKey }) => listKey !== undefined);
    expect(present).toMatchObject([{ status: 'inactive', createdAt: '2026-01-01T09:00:00.000Z' }]);
  });

  it('is no version for what an import retracts: it never was', async () => {
    const owner = await newOwner();
    await importLines(owner, [line(license), line({ ...license, issueDate: '2027-04-01' })]);
    await importLines(owner, [line({ ...license, isDeleted: true })]);
    expect(await covered(owner, '2026-07-01')).toEqual([false, false]);
    expect((await held(owner)).licenses).toHaveLength(1);
    await importLines(owner, [line({ ...license, issueDate: '2027-04-01', isDeleted: true })]);
    expect((await held(owner)).licenses).toEqual([]);
    expect(await registryRecords().npnsOfLicense(owner, 'TX', '1456789')).toEqual([]);
  });
});

describe('a list that leaves out', () => {
  const license = { nextRenewalDate: '2027-03-31', expirationDate: '2027-03-31' };

  it('for three days what is back afterwards ended nothing', async () => {
    const owner = await newOwner();
    for (const [day, licenses] of [
      ['01', [license]],
      ['05', []],
      ['08', [license]],
    ] as const) {
      await poll(owner, `2026-06-${day}T09:00:00Z`, { licenses });
      expect((await held(owner)).licenses).toHaveLength(licenses.length);
    }
    expect(await covered(owner, '2026-06-06')).toEqual([true, false]);
    expect(await covered(owner, '2026-06-06', '2026-06-07T00:00:00Z')).toEqual([false, false]);
  });

  it('the term of a license that was renewed early leaves it in the lists until it ends', async () => {
    const owner = await newOwner();
    const term = { nextRenewalDate: '2026-07-31', expirationDate: '2026-07-31' };
    const next = { issueDate: '2026-08-01', nextRenewalDate: '2028-07-31', expirationDate: '2028-07-31' };
    await poll(owner, '2026-06-01T09:00:00Z', { licenses: [term] });
    await poll(owner, '2026-06-02T09:00:00Z', { licenses: [next] });
    expect((await held(owner)).licenses.sort()).toEqual(['active to 2026-07-31', 'active to 2028-07-31']);
    const swept = [...(await itemsOf(owner)).values()].flatMap(({ renewalKey }) => renewalKey ?? []);
    expect(swept).toEqual([
      expect.stringMatching(/^2028-07-31#/),
      expect.stringMatching(/^CHANGE#2026-08-01#/),
    ]);
    expect(await poll(owner, '2026-08-01T09:00:00Z', { licenses: [next] })).toBe(true);
    expect((await held(owner)).licenses).toEqual(['active to 2028-07-31']);
  });

  it('dates the end by the poll itself', async () => {
    const owner = await newOwner();
    await poll(owner, '2026-06-01T09:00:00Z', { appointments: [{}] });
    // Three in the morning of the second in New York, of a reconciliation that began before midnight.
    await poll(owner, '2026-06-02T07:00:00Z', { appointments: [] });
    expect(await covered(owner, '2026-06-01')).toEqual([false, true]);
    expect(await covered(owner, '2026-06-02')).toEqual([false, false]);
  });
});

describe('an import of history', () => {
  const present = { nextRenewalDate: '2028-03-31', expirationDate: '2028-03-31' };
  const former = { nextRenewalDate: '2026-03-31', expirationDate: '2026-03-31' };

  it('never replaces the present', async () => {
    const owner = await newOwner();
    await importLines(owner, [line({ ...present, validFrom: '2026-05-15' })]);
    await importLines(owner, [line({ ...former, validFrom: '2019-04-01' })]);
    expect((await held(owner)).licenses).toEqual(['active to 2028-03-31']);
    expect(await covered(owner, '2026-07-01')).toEqual([true, false]);
    expect(await covered(owner, '2026-04-20')).toEqual([false, false]);
    expect(await covered(owner, '2026-03-31')).toEqual([true, false]);
  });

  it('is one command, however many calls it takes', async () => {
    const owner = await newOwner();
    const send = importFunctionOf(tables, risingClock());
    const call = async (lines: readonly object[], command: object = {}) =>
      importedBy(
        await send({
          organizationId: owner,
          firstLine: 1,
          lines: lines.map((one) => JSON.stringify(one)),
          ...command,
        }),
      );
    const { commandId, commandAt } = await call([line(former)]);
    await call([line({ ...present, licenseNumber: '2' }), appointmentLine()], { commandId, commandAt });
    const items = [...(await itemsOf(owner)).values()].filter(({ what }) => what === 'stated');
    expect(items).toHaveLength(3);
    for (const item of items)
      expect(item).toMatchObject({ commandId, commandAt, by: 'import', isSilent: true });
    expect(new Set(items.map(({ recordedAt }) => recordedAt)).size).toBeGreaterThan(1);
    const before = await itemsOf(owner);
    await call([line({ ...present, licenseNumber: '2' }), appointmentLine()], { commandId, commandAt });
    expect(await itemsOf(owner)).toEqual(before);
  });

  it('counts for imports at the same instant in their order', async () => {
    const owner = await newOwner();
    for (const status of ['pending', 'active', 'inactive']) {
      await importLines(owner, [line({ ...present, status })]);
      expect((await held(owner)).licenses).toEqual([`${status} to 2028-03-31`]);
    }
  });
});

describe('what is older than twenty years', () => {
  const renewedTo = (year: number) => ({
    nextRenewalDate: `${year}-03-31`,
    expirationDate: `${year}-03-31`,
  });
  const daysOfFacts = async (owner: string) =>
    [...(await itemsOf(owner)).values()]
      .flatMap(({ what, kind, commandAt }) =>
        what === undefined && kind === undefined
          ? []
          : [`${what ?? 'closed'} ${String(commandAt).slice(0, 4)}`],
      )
      .sort();

  it('is deleted with what is written, but for what came first and what is in force', async () => {
    const owner = await newOwner();
    const years = [2000, 2001, 2002, 2003, 2004];
    for (const year of years) {
      await poll(owner, `${year}-03-01T09:00:00Z`, { licenses: [renewedTo(year + 1)] });
    }
    const all = years.flatMap((year) => [`closed ${year}`, `stated ${year}`]).sort();
    expect(await poll(owner, '2026-01-02T09:00:00Z', { licenses: [renewedTo(2005)] })).toBe(false);
    expect(await daysOfFacts(owner)).toEqual(all);
    expect(await poll(owner, '2026-03-01T09:00:00Z', { licenses: [renewedTo(2027)] })).toBe(true);
    const left = [2000, 2004, 2026].flatMap((year) => [`closed ${year}`, `stated ${year}`]).sort();
    expect(await daysOfFacts(owner)).toEqual(left);
    expect(await poll(owner, '2026-03-02T09:00:00Z', { licenses: [renewedTo(2027)] })).toBe(false);
    expect(await covered(owner, '2026-07-01')).toEqual([true, false]);
  });
});

describe('two writers of one holder', () => {
  const renewed = { nextRenewalDate: '2028-03-31', expirationDate: '2028-03-31' };

  /** Does something when the next transaction is sent. */
  async function meeting<Result>(meet: () => Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
    let hasMet = false;
    dynamo.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'TransactWriteItemsCommand' && !hasMet) {
            hasMet = true;
            await meet();
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

  it('lose nothing: a poll that meets an import begins again', async () => {
    const owner = await newOwner();
    await poll(owner, '2026-01-05T09:00:00Z', { licenses: [{}] });
    await meeting(
      () => importLines(owner, [line({ status: 'inactive' }), line({ licenseNumber: '2' })]),
      () => poll(owner, now, { licenses: [renewed] }),
    );
    // The list ends what it does not name, also what was imported meanwhile.
    expect((await held(owner)).licenses).toEqual(['active to 2028-03-31']);
    const items = [...(await itemsOf(owner)).values()];
    const said = items.map(({ by, what }) => what && `${by}: ${what}`).filter((one) => one !== undefined);
    expect(said.sort()).toEqual([
      'import: stated',
      'import: stated',
      'reconciliation: left out',
      'reconciliation: stated',
      'reconciliation: stated',
    ]);
  });

  it('lose nothing: an import that meets a poll begins again', async () => {
    const owner = await newOwner();
    await meeting(
      () => poll(owner, now, { licenses: [renewed] }),
      () => importLines(owner, [line({ licenseNumber: '2' })]),
    );
    expect((await held(owner)).licenses.sort()).toEqual(['active to 2026-03-31', 'active to 2028-03-31']);
  });

  it('lose nothing where a synchronization meets an import', async () => {
    const owner = await newOwner();
    const job = await queueJob(dynamo, tables.registryRecords, { organizationId: owner, npn, jobId: 'job' });
    const store = createSynchronizationStore(
      tableOf(registryRecordsTable, dynamo, tables.registryRecords),
      () => [],
      now,
    );
    await store.begin(job);
    const { licenses = [] } = reportOf({ licenses: [renewed] });
    const entity = { kind: 'firm' as const, name: 'A firm', residentStateCode: null, licenses };
    await meeting(
      () => importLines(owner, [line({ status: 'inactive' })]),
      () =>
        store.complete(
          job,
          { dataOwnerModel: 'downstreamEntity' },
          { ...entity, appointments: [], actions: [] },
        ),
    );
    expect((await held(owner)).licenses).toEqual(['active to 2028-03-31']);
    expect(await facts(owner)).toHaveLength(3);
  });

  it('are as good as one after the other, at random', async () => {
    const owner = await newOwner();
    const time = risingClock();
    const numbers = Array.from({ length: 8 }, (_, index) => String(index));
    await Promise.all([
      ...numbers.map((licenseNumber) => importLines(owner, [line({ licenseNumber })])),
      poll(owner, time, { appointments: [{}] }),
    ]);
    expect(await held(owner)).toEqual({
      licenses: numbers.map(() => 'active to 2026-03-31'),
      appointments: ['active 75-1234567'],
    });
  });
});

describe('a poll that takes several transactions', () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => ({
      licenseNumber: String(from + index),
      nextRenewalDate: '2027-03-31',
      expirationDate: '2027-03-31',
    }));

  /** Makes a poll whose transactions after the first ones fail. */
  async function crashing(owner: string, transactions: number, report: Parameters<typeof reportOf>[0]) {
    let sent = 0;
    dynamo.middlewareStack.add(
      (next, { commandName }) =>
        (args) => {
          if (commandName !== 'TransactWriteItemsCommand') return next(args);
          sent += 1;
          if (sent > transactions) throw new Error('It crashes here.');
          return next(args);
        },
      { step: 'initialize', name: 'crash' },
    );
    try {
      await expect(poll(owner, time, report)).rejects.toThrow('It crashes here.');
    } finally {
      dynamo.middlewareStack.remove('crash');
    }
  }
  const time = risingClock();

  it.each([1, 2])('is made good by the next one where it stops after %i', async (transactions) => {
    const owner = await newOwner();
    await poll(owner, time, { licenses: many(0, 20), appointments: [{}] });
    const day = time().toISOString().slice(0, 10);
    const report = { licenses: many(10, 120), appointments: [] };
    await crashing(owner, transactions, report);
    // What the list leaves out is not over yet: it is not known whether the list was complete.
    expect(await covered(owner, day)).toEqual([true, true]);
    expect(await poll(owner, time, report)).toBe(true);
    const { licenses, appointments } = await held(owner);
    expect([licenses.length, appointments.length]).toEqual([110, 0]);
    expect(await covered(owner, day)).toEqual([true, false]);
    expect(await poll(owner, time, report)).toBe(false);
  });

  it('counts what its list leaves out from its last item on', async () => {
    const owner = await newOwner();
    await poll(owner, time, { licenses: many(0, 1), appointments: [{}] });
    const begun = time().toISOString();
    const day = begun.slice(0, 10);
    await poll(owner, time, { licenses: many(1, 80), appointments: [] });
    const items = [...(await itemsOf(owner)).values()].filter(({ commandAt }) => String(commandAt) > begun);
    const times = items.filter(({ what }) => what !== undefined).map(({ recordedAt }) => String(recordedAt));
    const between = times.sort()[0] ?? '';
    expect(await covered(owner, day, between)).toEqual([true, true]);
    expect(await covered(owner, day)).toEqual([true, false]);
  });
});

describe('a subscriber’s records', () => {
  it('are refused with what a guard is refused with', async () => {
    const owner = await newOwner();
    const records = createSubscriberRecords(
      tableOf(registryRecordsTable, dynamo, tables.registryRecords),
      now,
    );
    const subscriber = { _id: owner, dataOwnerId: owner, dataOwnerModel: 'upstreamEntity' as const, npn };
    const refused = {
      write: {
        ConditionCheck: {
          TableName: tables.registryRecords,
          Key: { pk: { S: owner }, sk: { S: 'none' } },
          ConditionExpression: 'attribute_exists(pk)',
        },
      },
      refused: () => new Error('The guard was refused.'),
    };
    const application = { by: 'synchronization' as const, isSilent: false, last: () => [refused] };
    await expect(records.apply(subscriber, reportOf({ licenses: [{}] }), application)).rejects.toThrow(
      'The guard was refused.',
    );
    expect((await itemsOf(owner)).size).toBe(0);
  });
});
