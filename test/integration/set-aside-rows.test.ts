// What visits of the registry record beside rows that cannot be read, and when they confirm what is known.

import { coverageOf } from '../../shared/domain/decision/coverage.ts';
import { entityReport } from '../../shared/domain/registry/read-rows.ts';
import { unknownNpn, type WrittenRow } from '../../shared/domain/registry/registry.ts';
import { setAsidePartition, setAsideRow } from '../../shared/domain/registry-records/set-aside.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/store.ts';
import { verifiedAtOf } from '../../shared/domain/registry-records/stored-facts.ts';
import { registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { collect } from '../../shared/platform/data/concurrently.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import {
  carrier,
  failures,
  loggedAs,
  reconcileOn,
  registered,
  subscribe,
  tables,
} from '../support/registry-records-tests.ts';
import { dynamo } from '../support/tables.ts';

const npn = '17654321';

const license = (fields: WrittenRow = {}): WrittenRow => ({
  stateCode: 'TX',
  licenseNumber: '1456789',
  licenseClassCode: 'PRO',
  licenseClassName: 'Insurance Producer',
  status: 'Active',
  residencyStatus: 'R',
  issueDate: '2019-04-01',
  nextRenewalDate: null,
  expirationDate: '2027-03-31',
  linesOfAuthority: [{ code: '16', name: 'Casualty', status: 'Active', issueDate: '2019-04-01' }],
  ...fields,
});

const appointed = {
  stateCode: 'TX',
  companyCode: '19437',
  status: 'Appointed',
  statusChangeDate: '2021-01-01',
};

const table = () => tableOf(registryRecordsTable, dynamo, tables.registryRecords);

/** A visit on a day of June 2026, at which the registry has these licenses. */
async function visit(
  day: number,
  licenses: readonly WrittenRow[] | undefined,
  appointments: readonly WrittenRow[] = [],
) {
  const entity = { kind: 'individual', name: 'Maria Delgado', residentStateCode: 'TX' } as const;
  registered.set(npn, licenses === undefined ? unknownNpn : entityReport(entity, licenses, appointments, []));
  await reconcileOn(day);
  expect(failures).toEqual([]);
}

const known = async () => {
  const facts = await createRecordedFacts(table()).factsOf(carrier, npn);
  const coverage = coverageOf(facts, '9999');
  const state = coverage.get('TX');
  return {
    statuses: state?.terms.flatMap(({ spans }) => spans.map(({ row, until }) => `${row.status} ${until}`)),
    unread: state?.unread.length ?? 0,
    isNotFound: coverage.isNotFound,
    verifiedAt: verifiedAtOf(facts.visits, 'TX'),
    elsewhere: verifiedAtOf(facts.visits, 'GA'),
  };
};

beforeEach(() => subscribe(npn));

test('a revocation beside a row that cannot be read arrives', async () => {
  await visit(1, [
    license(),
    license({ licenseNumber: '7', licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' }),
  ]);
  const before = await known();
  expect(before).toMatchObject({ unread: 0 });
  await visit(2, [
    license({ status: 'Revoked' }),
    license({ licenseNumber: '7', expirationDate: '13/45/2024' }),
  ]);
  const after = await known();
  expect(after).toMatchObject({ unread: 1, verifiedAt: before.verifiedAt });
  expect(after.statuses).not.toEqual(before.statuses);
  expect(loggedAs('rows_set_aside')).toMatchObject([{ npn, rows: 1, faults: ['expirationDate'] }]);
});

test('a list with a row set aside ends nothing in that state, until one that can be read whole', async () => {
  await visit(1, [license(), license({ licenseNumber: '8' })], [{ ...appointed }]);
  const before = await known();
  expect(before).toMatchObject({
    statuses: ['Active 2027-03-31', 'Active 2027-03-31'],
    verifiedAt: before.elsewhere,
  });
  await visit(2, [license({ status: '' })], [{ ...appointed, status: 4 }]);
  const then = await known();
  expect(then).toMatchObject({ statuses: before.statuses, unread: 1, verifiedAt: before.verifiedAt });
  expect(then.elsewhere).not.toBe(before.elsewhere);
  // The same row again is no news.
  await visit(3, [license({ status: '' })], [{ ...appointed, status: 4 }]);
  expect(loggedAs('rows_set_aside')).toMatchObject([{ rows: 1 }]);
  const items = await collect(table().query(setAsideRow, setAsidePartition(carrier)));
  expect(items.flat()).toMatchObject([{ npn, kind: 'license', stateCode: 'TX', faults: 'status' }]);
  expect(items.flat()[0]?.written).toContain('"licenseNumber":"1456789"');
  await visit(4, [license()], []);
  const after = await known();
  expect(after).toMatchObject({ unread: 0, verifiedAt: after.elsewhere });
  expect(after.statuses).toHaveLength(2);
  expect(after.statuses?.filter((one) => one.endsWith('2027-03-31'))).toHaveLength(1);
});

test('two rows that cannot be read alike are one', async () => {
  const odd = { ...license({ statusDate: 'soon' }) };
  await visit(1, [odd, { ...odd }]);
  expect(await known()).toMatchObject({ unread: 1 });
});

test('a registry that writes its dates in another way changes nothing (case 4)', async () => {
  const rows = [license(), license({ stateCode: 'GA', residencyStatus: 'NR' })];
  await visit(1, rows);
  const before = await known();
  await visit(
    2,
    rows.map((row) => ({ ...row, issueDate: '04/01/2019', expirationDate: '03/31/2027' })),
  );
  const { statuses, verifiedAt, unread } = await known();
  expect({ statuses, verifiedAt, unread }).toEqual({
    ...before,
    elsewhere: undefined,
    isNotFound: undefined,
    unread: 1,
  });
});

test('a row of which the state cannot be read concerns every state', async () => {
  await visit(1, [license(), license({ stateCode: 'GA', residencyStatus: 'NR' })]);
  await visit(2, [license({ stateCode: null, status: 'Revoked' })]);
  expect(await known()).toMatchObject({ statuses: ['Active 2027-03-31'], unread: 1, isNotFound: false });
});

test('an NPN that the registry no longer finds keeps what is known, and is told until it is found', async () => {
  await visit(1, undefined);
  expect(await known()).toMatchObject({ isNotFound: false, verifiedAt: null });
  await visit(2, [license()]);
  const before = await known();
  for (const day of [3, 4]) {
    await visit(day, undefined);
    expect(await known()).toEqual({ ...before, isNotFound: true });
  }
  await visit(5, [license()]);
  expect(await known()).toMatchObject({ statuses: before.statuses, isNotFound: false });
});
