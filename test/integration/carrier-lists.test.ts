// A carrier's own licenses, appointments, and regulatory actions.

import { randomUUID } from 'node:crypto';
import { registryRecordsTable } from '#domain/tables.ts';
import { restoredKey } from '#platform/changes/change-index.ts';
import type { Route } from '#platform/contract/route.ts';
import { writesOf } from '#platform/data/table.ts';
import { csvTableOf } from '#platform/request/response.ts';
import { ask, clock, id, importLines, newOwner, now, tables } from '../support/carrier-records.ts';
import { routes } from '../support/compliance-tests.ts';
import {
  daniel,
  later,
  leo,
  licensed,
  loneStar,
  maria,
  newDesk,
  npns,
  type Row,
  rowsOf,
} from '../support/desk-carrier.ts';
import { dynamo } from '../support/tables.ts';

const { listLicenses, listAppointments, listRegulatoryActions } = routes;

let owner: string;

beforeAll(async () => {
  owner = await newDesk();
});

const names = new Map([
  [npns.agency, 'agency'],
  [npns.maria, 'Maria'],
  [npns.daniel, 'Daniel'],
  [npns.ana, 'Ana'],
  [npns.leo, 'Leo'],
]);

/** A row in short: whose it is, its state, what tells it apart, and whether it is in force. */
const inShort = (row: Row): string => {
  const own = row['licenseNumber'] ?? row['actionId'] ?? row['companyCode'];
  const line = 'companyCode' in row ? ` ${row['lineOfAuthorityCode'] ?? 'all'}` : '';
  const state = row['isDeleted'] === true ? 'deleted' : row['isInForce'] === true ? 'in force' : 'not';
  return `${names.get(String(row['npn']))} ${row['stateCode']} ${own}${line}: ${state}`;
};

const shortOf = async (route: Route, query: Record<string, string> = {}, of = owner) =>
  (await rowsOf(of, route, query)).rows.map(inShort).sort();

const licenses = {
  agency: 'agency TX 1: in force',
  ana: 'Ana TX 102: not',
  anaNow: 'Ana TX 102-B: in force',
  danielTexas: 'Daniel TX 101: not',
  danielOklahoma: 'Daniel OK 900: not',
  leo: 'Leo TX 103: in force',
  maria: 'Maria TX 100: in force',
  mariaGeorgia: 'Maria GA G-7: in force',
};

const appointments = {
  agency: 'agency TX 22314 16: in force',
  ana: 'Ana TX 22314 16: in force',
  daniel: 'Daniel TX 22314 16: in force',
  danielEnded: 'Daniel TX 10847 16: not',
  leo: 'Leo TX 22314 16: in force',
  maria: 'Maria TX 22314 16: in force',
  mariaAll: 'Maria TX 22314 all: in force',
  mariaGeorgia: 'Maria GA 22314 16: in force',
};

const fine = 'Maria TX 4471: not';
const revocation = 'Daniel OK 88: in force';

it.each<[string, Route, Record<string, string>, readonly string[]]>([
  ['all licenses', listLicenses, {}, Object.values(licenses)],
  ['a state', listLicenses, { stateCode: 'GA' }, [licenses.mariaGeorgia]],
  ['an NPN', listLicenses, { npn: '008400002' }, [licenses.leo]],
  ['an NPN of nobody', listLicenses, { npn: '77' }, []],
  ['an agent', listLicenses, { agentId: daniel }, [licenses.danielTexas, licenses.danielOklahoma]],
  ['an unknown agent', listLicenses, { agentId: id(99) }, []],
  [
    'an association',
    listLicenses,
    { downstreamEntityAssociationId: loneStar, stateCode: 'TX' },
    [licenses.agency, licenses.ana, licenses.anaNow, licenses.danielTexas, licenses.maria],
  ],
  ['an unknown association', listLicenses, { downstreamEntityAssociationId: id(99) }, []],
  ['an agent elsewhere', listLicenses, { agentId: leo, downstreamEntityAssociationId: loneStar }, []],
  ['an agent of another NPN', listLicenses, { agentId: leo, npn: npns.maria }, []],
  [
    'a day before',
    listLicenses,
    { inForceOn: '2026-05-31', agentId: daniel },
    ['Daniel OK 900: in force', 'Daniel TX 101: in force'],
  ],
  ['a day to come', listLicenses, { inForceOn: '2026-08-16', agentId: maria }, [licenses.maria]],
  [
    'first and last days',
    listLicenses,
    { endsFrom: '2026-05-31', endsUntil: '2026-05-31' },
    [licenses.danielTexas],
  ],
  [
    'a last day that is later',
    listLicenses,
    { endsFrom: '2027-12-31', stateCode: 'OK' },
    [licenses.danielOklahoma],
  ],
  ['all appointments', listAppointments, {}, Object.values(appointments)],
  ['a renewal date', listAppointments, { endsUntil: '2026-12-31' }, [appointments.mariaGeorgia]],
  ['a company', listAppointments, { companyCode: '0-10847' }, [appointments.danielEnded]],
  [
    'a company then',
    listAppointments,
    { companyCode: '10847', inForceOn: '2026-06-14' },
    ['Daniel TX 10847 16: in force'],
  ],
  ['a company now', listAppointments, { companyCode: '10847', inForceOn: '2026-06-15' }, []],
  ['all actions', listRegulatoryActions, {}, [fine, revocation]],
  ['orders in force', listRegulatoryActions, { inForceOn: '2026-09-07' }, [revocation]],
  ['orders that are over', listRegulatoryActions, { inForceOn: '2026-09-08' }, []],
  ['actions against an agent', listRegulatoryActions, { agentId: maria }, [fine]],
  [
    'licenses of which something was recorded',
    listLicenses,
    { recordedSince: later },
    [licenses.ana, licenses.anaNow, licenses.danielOklahoma, 'Maria OK X-1: deleted'],
  ],
  [
    'appointments of which something was recorded',
    listAppointments,
    { recordedSince: later },
    [appointments.danielEnded, 'Maria OK 22314 16: deleted'],
  ],
  [
    'actions of which something was recorded',
    listRegulatoryActions,
    { recordedSince: later },
    [revocation, 'Maria OK X-2: deleted'],
  ],
  [
    'what was recorded in a state',
    listLicenses,
    { recordedSince: later, stateCode: 'TX' },
    [licenses.ana, licenses.anaNow],
  ],
  [
    'what was taken back, and is in force',
    listLicenses,
    { recordedSince: later, npn: npns.maria, inForceOn: '2026-07-01' },
    [],
  ],
  ['what was recorded after all', listLicenses, { recordedSince: '2026-06-21T00:00:00Z' }, []],
])('lists by %s', async (_, route, query, expected) => {
  expect(await shortOf(route, query)).toEqual([...expected].sort());
});

it('shows whose each is, when it was verified, and when something was recorded of it', async () => {
  const { rows } = await rowsOf(owner, listLicenses, { downstreamEntityAssociationId: loneStar });
  const rowOf = (number: string) => rows.find((row) => row['licenseNumber'] === number);
  expect(rowOf('100')).toMatchObject({
    npn: npns.maria,
    agentId: maria,
    firstName: 'Maria',
    lastName: 'Delgado',
    downstreamEntityAssociationIds: [loneStar],
    licenseClassName: 'Insurance Producer',
    nextRenewalDate: '2027-12-31',
    verifiedAt: null,
    recordedAt: expect.stringMatching(/^2026-05-01T12/),
  });
  expect(rowOf('1')).toMatchObject({
    npn: npns.agency,
    agentId: null,
    firstName: null,
    lastName: null,
    downstreamEntityAssociationIds: [loneStar],
  });
  expect(rowOf('102')).toMatchObject({
    verifiedAt: expect.stringMatching(/^2026-06-20T12/),
    recordedAt: expect.stringMatching(/^2026-06-20T12/),
  });
});

it('tells what was taken back by its key', async () => {
  const gone = async (route: Route) =>
    (await rowsOf(owner, route, { recordedSince: later })).rows.find((row) => row['isDeleted'] === true);
  const key = { npn: npns.maria, stateCode: 'OK', isDeleted: true, recordedAt: expect.any(String) };
  expect(await gone(listLicenses)).toEqual({
    ...key,
    licenseNumber: 'X-1',
    licenseClassCode: null,
    licenseClassName: 'Insurance Producer',
  });
  expect(await gone(listAppointments)).toMatchObject({ ...key, companyCode: '22314' });
  expect(await gone(listRegulatoryActions)).toEqual({ ...key, _id: expect.any(String), actionId: 'X-2' });
});

it.each([listLicenses, listAppointments, listRegulatoryActions])(
  'is followed from one time to the next',
  async (route) => {
    const { headers } = await rowsOf(owner, route);
    const until = '2026-07-01T11:58:00.000Z';
    expect(headers['x-recorded-until']).toBe(until);
    expect((await rowsOf(owner, route, { recordedSince: until })).rows).toEqual([]);
    const earliest = '2025-05-27T12:00:00.000Z';
    expect((await rowsOf(owner, route, { recordedSince: earliest })).rows.length).toBeGreaterThan(0);
    const tooEarly = { query: { recordedSince: '2025-05-27T11:59:59.999Z' } };
    expect(await ask(owner, route, tooEarly)).toMatchObject({ status: 400, details: { earliest } });
  },
);

it.each<[Route, Record<string, string>, object]>([
  [listLicenses, { endsBefore: '2026-01-01' }, { path: 'endsBefore', accepted: expect.any(Array) }],
  [listLicenses, { companyCode: '22314' }, { path: 'companyCode' }],
  [listRegulatoryActions, { endsUntil: '2026-01-01' }, { path: 'endsUntil' }],
  [listAppointments, { stateCode: 'ZZ' }, { path: 'stateCode', accepted: expect.any(Array) }],
  [listAppointments, { companyCode: '-0-' }, { path: 'companyCode' }],
  [listAppointments, { inForceOn: 'today' }, { path: 'inForceOn' }],
  [listAppointments, { npn: 'Maria' }, { path: 'npn' }],
  [listAppointments, { recordedSince: 'yesterday' }, { path: 'recordedSince' }],
])('refuses a query that it does not understand', async (route, query, issue) => {
  expect(await ask(owner, route, { query })).toMatchObject({ status: 400, details: { issues: [issue] } });
});

it('shows another organization nothing', async () => {
  const stranger = await newOwner();
  for (const route of [listLicenses, listAppointments, listRegulatoryActions])
    for (const query of [
      {},
      { npn: npns.maria },
      { agentId: maria },
      { downstreamEntityAssociationId: loneStar },
    ])
      expect(await shortOf(route, query, stranger)).toEqual([]);
});

it('has what a follower needs once more where a license comes back', async () => {
  const [of, npn] = [await newOwner(), '8500001'];
  const complete = (...lines: readonly object[]) => importLines(of, lines, { complete: true });
  const both = [licensed(npn, '1'), licensed(npn, '2')];
  const times: string[] = [];
  for (const lines of [both, both.slice(1), both]) {
    clock.time = new Date(clock.time.getTime() + 60_000);
    times.push(now().toISOString());
    await complete(...lines);
  }
  clock.time = new Date(clock.time.getTime() + 60_000);
  const since = async (time = '') =>
    (await rowsOf(of, listLicenses, { recordedSince: time })).rows.map((row) => row['licenseNumber']).sort();
  expect(await since(times[0])).toEqual(['1', '2']);
  expect(await since(times[2])).toEqual(['1']);
});

it('misses nothing that an import of an hour has written since it began', async () => {
  const [of, commandAt] = [await newOwner(), now().toISOString()];
  clock.time = new Date(clock.time.getTime() + 3_600_000);
  const recordedSince = new Date(clock.time.getTime() - 60_000).toISOString();
  await importLines(of, [licensed(npns.maria, '100')], { commandId: randomUUID(), commandAt });
  expect(await shortOf(listLicenses, { recordedSince }, of)).toEqual(['Maria TX 100: in force']);
});

it('must be read again as a whole after a restore', async () => {
  const key = restoredKey(registryRecordsTable);
  const table = writesOf(dynamo, tables.registryRecords);
  await table.put({ ...key, restoredTo: later });
  const query = { recordedSince: later };
  expect(await ask(owner, listLicenses, { query })).toMatchObject({
    status: 400,
    details: { issues: [{ path: 'recordedSince' }], earliest: null },
  });
  await table.delete(key);
});

it('is a table of columns that begins with whose each row is', () => {
  expect(csvTableOf(listAppointments.answer.all).header.trim().split(',')).toEqual([
    ...['npn', 'agentId', 'firstName', 'lastName', 'downstreamEntityAssociationIds'],
    ...['registryDataSubscriptionId', 'stateCode', 'carrierName', 'ein', 'companyCode'],
    ...['lineOfAuthorityName', 'lineOfAuthorityCode', 'status', 'terminationReason', 'statusChangeDate'],
    ...['renewalDate', 'appointerStateCoId', 'countyName', 'effectiveDate', 'countyCode', 'updatedAt'],
    ...['isInForce', 'verifiedAt', 'recordedAt', 'isDeleted'],
  ]);
});
