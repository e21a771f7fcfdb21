// What visits of the registry record beside rows that cannot be read, and when they confirm what is known.

import { coverageOf } from '#domain/decision/coverage.ts';
import { recordsOnDay } from '#domain/decision/held.ts';
import { reportOf } from '#domain/registry/read-rows.ts';
import { unknownNpn, type WrittenRow } from '#domain/registry/registry.ts';
import { createRecordedHolders } from '#domain/registry-records/store.ts';
import { unreadablePartition, unreadableRow } from '#domain/registry-records/unreadable-rows.ts';
import { registryRecordsTable } from '#domain/tables.ts';
import { collect } from '#platform/data/concurrently.ts';
import { tableOf } from '#platform/data/table.ts';
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
  const entity = { kind: 'individual', name: 'Maria Delgado' } as const;
  const report = licenses && reportOf({ ...entity, licenses, appointments, regulatoryActions: [] });
  registered.set(npn, report ?? unknownNpn);
  await reconcileOn(day);
  expect(failures).toEqual([]);
}

const known = async () => {
  const coverage = coverageOf(await createRecordedHolders(table()).recordsOf(carrier, npn), '9999');
  const { licenses } = recordsOnDay(coverage, '2026-12-31');
  return {
    texas: licenses.flatMap(({ row, isInForce }) =>
      row.stateCode === 'TX' ? `${row.licenseNumber} ${row.status} ${isInForce}` : [],
    ),
    unread: coverage.get('TX')?.unread ?? [],
    isNotFound: coverage.isNotFound(),
    verifiedAt: coverage.verifiedAt('TX'),
    elsewhere: coverage.verifiedAt('GA'),
  };
};

beforeEach(() => subscribe(npn));

test('a revocation beside a row that cannot be read arrives', async () => {
  const adjuster = { licenseNumber: '7', licenseClassCode: 'ADJ', licenseClassName: 'Adjuster' };
  await visit(1, [license(), license(adjuster)]);
  const before = await known();
  expect(before).toMatchObject({ unread: [] });
  await visit(2, [
    license({ status: 'Revoked', statusDate: '2026-06-02' }),
    license({ ...adjuster, expirationDate: '13/45/2024' }),
  ]);
  const after = await known();
  expect(after).toMatchObject({ unread: ['license'], verifiedAt: before.verifiedAt });
  expect(after.texas).toContain('1456789 Revoked false');
  expect(loggedAs('rows_unreadable')).toMatchObject([{ npn, rows: 1, faults: ['expirationDate'] }]);
});

test('a statement with a row that cannot be read leaves nothing out, until one that can be read whole', async () => {
  await visit(1, [license(), license({ licenseNumber: '8' })], [{ ...appointed }]);
  const before = await known();
  expect(before).toMatchObject({
    texas: ['1456789 Active true', '8 Active true'],
    verifiedAt: before.elsewhere,
  });
  await visit(2, [license({ status: '' })], [{ ...appointed, status: 4 }]);
  const then = await known();
  expect(then).toMatchObject({ texas: before.texas, unread: ['license'], verifiedAt: before.verifiedAt });
  expect(then.elsewhere).not.toBe(before.elsewhere);
  // The same row again is no news, and no statement.
  const statements = async () =>
    (await createRecordedHolders(table()).recordsOf(carrier, npn)).statements.length;
  const stated = await statements();
  const itemsOf = async () =>
    (await collect(table().query(unreadableRow, unreadablePartition(carrier)))).flat();
  const [itemBefore] = await itemsOf();
  await visit(3, [license({ status: '' })], [{ ...appointed, status: 4 }]);
  expect(await statements()).toBe(stated);
  expect(loggedAs('rows_unreadable')).toMatchObject([{ rows: 1 }]);
  const items = await itemsOf();
  expect(items).toMatchObject([{ npn, kind: 'license', stateCode: 'TX', faults: 'status' }]);
  expect(items[0]?.readAt).not.toBe(itemBefore?.readAt);
  expect(items[0]?.written).toContain('"licenseNumber":"1456789"');
  await visit(4, [license()], []);
  const after = await known();
  expect(after).toMatchObject({ unread: [], verifiedAt: after.elsewhere });
  expect(after.texas).toEqual(['1456789 Active true', '8 Active false']);
});

test('a row of which the state cannot be read concerns every state', async () => {
  await visit(1, [license(), license({ stateCode: 'GA', residencyStatus: 'NR' })]);
  await visit(2, [license({ stateCode: null, status: 'Revoked' })]);
  expect(await known()).toMatchObject({
    texas: ['1456789 Active true'],
    unread: ['license'],
    isNotFound: false,
  });
  const coverage = coverageOf(await createRecordedHolders(table()).recordsOf(carrier, npn), '9999');
  for (const state of ['GA', 'WA']) expect(coverage.get(state)?.unread).toEqual(['license']);
});
