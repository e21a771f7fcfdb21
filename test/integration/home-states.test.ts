// What an answer about one state reads of the states where its holder is resident.

import type { License } from '../../shared/domain/registry/license.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/facts.ts';
import { factsAmong, type StoredFacts } from '../../shared/domain/registry-records/stored-facts.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { importLines, newOwner, tables } from '../support/carrier-records.ts';
import { holdersIn, reportOf } from '../support/holders.ts';
import { license } from '../support/import-lines.ts';
import { action } from '../support/registry-sync-tests.ts';
import { risingClock } from '../support/rising-clock.ts';
import { sampleLicense } from '../support/sample-records.ts';
import { dynamo } from '../support/tables.ts';

const npn = '8123456';
const time = risingClock();
const recordedFacts = () =>
  createRecordedFacts(tableOf(registryRecordsTable, dynamo, tables.registryRecords));
const poll = (owner: string, report: Parameters<typeof reportOf>[0], of = npn) =>
  holdersIn(tables.registryRecords).poll(owner, of, time, reportOf(report));

const row = (stateCode: License['stateCode'], fields: Partial<License> = {}) =>
  sampleLicense({ stateCode, residencyStatus: 'non-resident', ...fields });
const resident = (stateCode: License['stateCode'], fields: Partial<License> = {}) =>
  row(stateCode, { residencyStatus: 'resident', ...fields });

const inShort = ({ licenses, appointments, closings, actions }: StoredFacts) =>
  [
    ...licenses.map(({ stateCode, what }) => `license ${stateCode} ${what}`),
    ...appointments.map(({ stateCode }) => `appointment ${stateCode}`),
    ...closings.map(({ stateCode, kind }) => `list of ${kind}s ${stateCode}`),
    ...actions.map(({ stateCode, what }) => `action ${stateCode} ${what}`),
  ].sort();

/** What is read of an owner's holder for an answer about a state. */
const readFor = async (owner: string, stateCode: License['stateCode']) =>
  inShort(await recordedFacts().factsOf(owner, npn, stateCode));

it('are read with any state: licenses, their lists, and regulatory actions', async () => {
  const owner = await newOwner();
  await poll(owner, {
    licenses: [resident('KS'), row('TX'), row('OK')],
    appointments: [{ stateCode: 'KS' }, { stateCode: 'TX' }],
    actions: [{ ...action('1', 'Suspension'), stateCode: 'KS' }],
  });
  const home = ['action KS stated', 'license KS stated', 'list of licenses KS'];
  expect(await readFor(owner, 'TX')).toEqual(
    [...home, 'appointment TX', 'license TX stated', 'list of appointments TX', 'list of licenses TX'].sort(),
  );
  expect(await readFor(owner, 'GA')).toEqual(home);
  // Each fact once, also where the state is at home.
  expect(await readFor(owner, 'KS')).toEqual([...home, 'appointment KS', 'list of appointments KS'].sort());
});

it('follow every change in the transaction that records it, with the times of its facts', async () => {
  const owner = await newOwner();
  await poll(owner, { licenses: [resident('KS'), row('TX')] });
  await poll(owner, { licenses: [row('TX')], actions: [{ ...action('1', 'Revocation'), stateCode: 'KS' }] });
  await importLines(owner, [
    license({ stateCode: 'CO', status: 'active', residencyStatus: 'resident' }),
    { type: 'regulatory-action', npn, stateCode: 'KS', actionId: '1', isDeleted: true },
  ]);
  const all = await recordedFacts().factsOf(owner, npn);
  const read = await recordedFacts().factsOf(owner, npn, 'GA');
  const ofHome = <Fact extends { readonly stateCode: string; readonly kind?: string }>(
    facts: readonly Fact[],
  ) => facts.filter(({ stateCode, kind = 'license' }) => stateCode !== 'TX' && kind === 'license');
  expect(inShort(read)).toEqual(
    ['action KS retracted', 'action KS stated', 'license CO stated', 'license KS left out'].concat(
      ['license KS stated', 'list of licenses KS', 'list of licenses KS'].sort(),
    ),
  );
  expect(new Set(read.licenses)).toEqual(new Set(ofHome(all.licenses)));
  expect(new Set(read.closings)).toEqual(new Set(ofHome(all.closings)));
  expect(new Set(read.actions)).toEqual(new Set(all.actions));
});

it('are none of a holder without a resident license', async () => {
  const owner = await newOwner();
  await poll(owner, { licenses: [row('TX')] });
  expect(await readFor(owner, 'GA')).toEqual([]);
});

it('are read from the facts themselves where these are too long for one item', async () => {
  const owner = await newOwner();
  const licenses = Array.from({ length: 150 }, (_, index) =>
    resident('KS', { licenseNumber: String(index) }),
  );
  await poll(owner, { licenses: [...licenses, row('TX'), row('OK')] });
  const { facts } = (await holdersIn(tables.registryRecords).itemsOf(owner, npn)).get('HOME') ?? {};
  expect(facts).toBeNull();
  const read = await recordedFacts().factsOf(owner, npn, 'TX');
  expect(read.licenses).toHaveLength(152);
  expect(read.closings).toHaveLength(3);
});

it('have the times of their facts also where these take several transactions', async () => {
  const owner = await newOwner();
  await poll(owner, {
    licenses: [
      resident('KS'),
      ...Array.from({ length: 120 }, (_, index) => row('TX', { licenseNumber: String(index) })),
    ],
  });
  const known = new Map(
    (await recordedFacts().itemsOf(owner, npn)).map(({ sk, recordedAt }) => [sk, recordedAt]),
  );
  const read = await recordedFacts().itemsOf(owner, npn, 'GA');
  expect(read.map(({ sk }) => String(sk).split('#')[1])).toEqual(['KS', 'KS', 'VISITS']);
  for (const { sk, recordedAt } of read) expect(recordedAt).toBe(known.get(sk));
});

it('are read of many holders in one call for a hundred', async () => {
  const owner = await newOwner();
  const npns = Array.from({ length: 3 }, (_, index) => String(9_100_000 + index));
  for (const one of npns) await poll(owner, { licenses: [resident('KS'), row('TX')] }, one);
  let calls = 0;
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === 'BatchGetItemCommand') calls += 1;
        return next(args);
      },
    { step: 'initialize', name: 'count' },
  );
  try {
    const read = await recordedFacts().itemsOfAll(owner, [...npns, '9200000'], () => 'TX');
    expect(calls).toBe(1);
    expect(Array.from(read, ([one, items]) => [one, inShort(factsAmong(items)).length])).toEqual([
      ...npns.map((one) => [one, 4]),
      ['9200000', 0],
    ]);
  } finally {
    dynamo.middlewareStack.remove('count');
  }
});
