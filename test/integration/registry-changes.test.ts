import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import {
  type Appointment,
  exampleRegulatoryAction,
  type License,
} from '../../shared/domain/registry/resources.ts';
import { restoredKey } from '../../shared/platform/changes/restored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { sk } from '../../shared/platform/data/table-design.ts';
import { type Item, routes } from '../support/followed-lists.ts';
import { holdersIn, reportOf } from '../support/holders.ts';
import { license as licenseLine } from '../support/import-lines.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';
import {
  at,
  carrier,
  day,
  given,
  list,
  minute,
  other,
  pass,
  start,
  tables,
  time,
} from '../support/updated-since-tests.ts';

const npn = '8123456';
const route = routes.listRegistryChanges;

interface Lists {
  readonly licenses?: readonly Partial<License>[];
  readonly appointments?: readonly Partial<Appointment>[];
  readonly actions?: NonNullable<Parameters<typeof reportOf>[0]['actions']>;
}

/** What the registry lists from now on; it answers when that was recorded. */
async function listed(
  lists: Lists,
  holder = npn,
  by: 'reconciliation' | 'synchronization' = 'reconciliation',
) {
  pass(minute);
  await holdersIn(tables.registryRecords).poll(carrier, holder, at(time), reportOf(lists), { by });
  return at(time);
}

const changes = async (query: Record<string, string> = {}): Promise<readonly Item[]> => {
  const { status, data } = await list(carrier, route, { recordedSince: at(start), ...query });
  expect(status).toBe(200);
  return data as readonly Item[];
};

/** Changes in short: what, which fields, from when on. */
const shortOf = (found: readonly Item[]) =>
  found.map(({ kind, change, changedFields, validFrom }) => [kind, change, changedFields, validFrom]);

const {
  _id,
  registryDataSubscriptionId,
  npn: _npn,
  createdAt,
  updatedAt,
  ...action
} = exampleRegulatoryAction;

it('returns each version of a license with the one before it', async () => {
  const first = await listed({ licenses: [{ nextRenewalDate: '2026-08-31' }] });
  const second = await listed({ licenses: [{ nextRenewalDate: '2028-08-31' }] }, npn, 'synchronization');
  const third = await listed({ licenses: [] });
  const [added, changed, removed, ...more] = await changes();
  expect(more).toEqual([]);
  expect(added).toEqual({
    npn,
    kind: 'license',
    change: 'added',
    changedFields: null,
    before: null,
    after: expect.objectContaining({ npn, licenseNumber: '1456789', nextRenewalDate: '2026-08-31' }),
    validFrom: '2019-04-01',
    recordedAt: first,
    recordedBy: 'reconciliation',
  });
  expect(changed).toMatchObject({
    change: 'changed',
    changedFields: ['nextRenewalDate', 'expirationDate'],
    before: added?.['after'],
    after: { nextRenewalDate: '2028-08-31', expirationDate: '2028-08-31' },
    recordedAt: second,
    recordedBy: 'synchronization',
  });
  expect(removed).toMatchObject({
    change: 'removed',
    changedFields: null,
    before: changed?.['after'],
    after: null,
    validFrom: third.slice(0, 10),
    recordedAt: third,
  });
});

it('a poll that finds nothing new recorded nothing', async () => {
  for (const _poll of [1, 2]) await listed({ licenses: [{}], appointments: [{}], actions: [action] });
  expect(shortOf(await changes())).toEqual([
    ['appointment', 'added', null, '2024-04-01'],
    ['license', 'added', null, '2019-04-01'],
    ['regulatory action', 'added', null, '2025-05-02'],
  ]);
});

it.each<[string, Lists, Lists, unknown[]]>([
  [
    'a termination that the registry lists instead of the appointment',
    { appointments: [{}] },
    { appointments: [{ status: 'Terminated', terminationReason: 'Lapse', statusChangeDate: '2026-06-30' }] },
    [['appointment', 'changed', ['status', 'terminationReason', 'statusChangeDate'], '2026-06-30']],
  ],
  [
    'a reissue of a license',
    { licenses: [{}] },
    { licenses: [{ issueDate: '2026-07-01' }] },
    [['license', 'changed', ['issueDate'], '2026-07-01']],
  ],
  [
    'a status change beside the one before',
    { appointments: [{}] },
    { appointments: [{}, { status: 'Terminated', statusChangeDate: '2026-06-30' }] },
    [['appointment', 'added', null, '2026-06-30']],
  ],
  [
    'another license instead of one',
    { licenses: [{}] },
    { licenses: [{ licenseNumber: '77' }] },
    [
      ['license', 'added', null, '2019-04-01'],
      ['license', 'removed', null, '2026-07-01'],
    ],
  ],
  [
    'another row of the same term',
    { licenses: [{}] },
    { licenses: [{}, { status: 'inactive' }] },
    [['license', 'added', null, '2019-04-01']],
  ],
  [
    'a name that decides nothing',
    { licenses: [{}], appointments: [{}] },
    { licenses: [{ licenseClassName: 'Producer' }], appointments: [{ appointerStateCoId: '7' }] },
    [
      ['appointment', 'changed', ['appointerStateCoId'], '2024-04-01'],
      ['license', 'changed', ['licenseClassName'], '2019-04-01'],
    ],
  ],
  [
    'an amended action',
    { actions: [action] },
    { actions: [{ ...action, disposition: 'Dismissed', effectiveDate: '2025-06-01' }] },
    [['regulatory action', 'changed', ['disposition', 'effectiveDate'], '2025-06-01']],
  ],
])('%s', async (_, before, after, expected) => {
  await listed(before);
  const recordedSince = await listed(after);
  expect(shortOf(await changes({ recordedSince }))).toEqual(expected);
});

it('returns what imports record: versions, history, and what never was', async () => {
  const line = (fields: object) => licenseLine({ issueDate: '2020-01-01', ...fields });
  await given(carrier, line({ nextRenewalDate: '2027-03-31' }));
  pass(minute);
  await given(carrier, line({ nextRenewalDate: '2023-03-31', validFrom: '2021-05-01' }));
  pass(minute);
  await given(carrier, line({ isDeleted: true }));
  await given(carrier, { type: 'regulatory-action', npn, ...action });
  await given(carrier, { type: 'regulatory-action', npn, ...action, isDeleted: true });
  const found = await changes();
  expect(shortOf(found)).toEqual([
    ['license', 'added', null, '2020-01-01'],
    ['license', 'changed', ['nextRenewalDate'], '2021-05-01'],
    ['license', 'removed', null, null],
    ['regulatory action', 'added', null, '2025-05-02'],
    ['regulatory action', 'removed', null, null],
  ]);
  expect(new Set(found.map(({ recordedBy }) => recordedBy))).toEqual(new Set(['import']));
});

it('filters, the time included, and returns nothing of another organization', async () => {
  await listed({
    licenses: [{}, { stateCode: 'OK' }],
    appointments: [{ stateCode: 'OK' }],
    actions: [action],
  });
  const last = await listed({ licenses: [{}] }, '77');
  const counts = async (query: Record<string, string>) => (await changes(query)).length;
  expect(await counts({})).toBe(5);
  expect(await counts({ npn })).toBe(4);
  expect(await counts({ npn, stateCode: 'OK' })).toBe(2);
  expect(await counts({ stateCode: 'TX' })).toBe(3);
  expect(await counts({ stateCode: 'OK', kind: 'license' })).toBe(1);
  expect(await counts({ kind: 'regulatory action' })).toBe(1);
  expect(await counts({ recordedSince: last })).toBe(1);
  expect(await counts({ recordedSince: at(time + 1) })).toBe(0);
  expect((await list(other, route, { recordedSince: at(start) })).data).toEqual([]);
});

it('returns the versions of several holders in the order of recording', async () => {
  const lines = Array.from({ length: 6 }, (_, index) => licenseLine({ npn: String(100 + index) }));
  for (const some of [lines.slice(0, 3), lines.slice(3)]) {
    await given(carrier, ...some);
    pass(minute);
  }
  const found = await changes();
  expect(new Set(found.map((one) => one['npn'])).size).toBe(6);
  const times = found.map(({ recordedAt }) => String(recordedAt));
  expect(times).toEqual(times.toSorted());
});

it('says in x-recorded-until where to go on, two minutes before its start', async () => {
  const { headers } = await list(carrier, route, { recordedSince: at(start) });
  expect(headers['x-recorded-until']).toBe(at(time - 2 * minute));
});

it.each([
  ['no time', {}, undefined],
  ['what is no time', { recordedSince: 'yesterday' }, undefined],
  [
    'a time more than 400 days ago',
    { recordedSince: at(start - 400 * day - 1) },
    expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  ],
])('refuses %s', async (_, query, earliest) => {
  const { status, details } = await list(carrier, route, query);
  expect([status, details]).toMatchObject([400, { issues: [{ path: 'recordedSince' }] }]);
  expect(details?.earliest).toEqual(earliest);
  expect((await list(carrier, route, { recordedSince: at(start - 400 * day) })).status).toBe(200);
});

it('a request that finds nothing waits for the database once', async () => {
  const { inSequence } = await databaseCalls(() => changes());
  expect(inSequence).toBe(1);
});

it('clocks that differ don’t change the order in which the versions of a holder were recorded', async () => {
  const last = await listed({ licenses: [{}] });
  pass(-minute - 1_000);
  await listed({ licenses: [{ nextRenewalDate: '2029-03-31' }] });
  const [, changed] = await changes();
  expect(changed).toMatchObject({ change: 'changed', recordedAt: at(Date.parse(last) + 1) });
});

it('after a restore, refuses a time that who gives it may know of what is gone', async () => {
  const given = async (recordedSince: number) => {
    const { status, details } = await list(carrier, route, { recordedSince: at(recordedSince) });
    return [status, details?.earliest];
  };
  await dynamo.send(
    new PutItemCommand({
      TableName: tables.registryRecords,
      Item: toItem({
        ...restoredKey({ sortKey: sk }),
        restoredTo: at(start - 10 * minute),
        movedAt: at(start),
      }),
    }),
  );
  const earliest = at(start - 2 * minute);
  expect(await given(start - 20 * minute)).toEqual([200, undefined]);
  expect(await given(start - 15 * minute)).toEqual([400, earliest]);
  expect(await given(start - 2 * minute - 1)).toEqual([400, earliest]);
  expect(await given(start - 2 * minute)).toEqual([200, undefined]);
});
