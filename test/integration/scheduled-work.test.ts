import { createSweepStore } from '#domain/license-sweep/store.ts';
import { tablesOf } from '#domain/tables.ts';
import { uses as sweepUses } from '../../functions/license-sweep/uses.ts';
import { uses as reconciliationUses } from '../../functions/registry-reconciliation/uses.ts';
import { commandsOn } from '../support/admin.ts';
import { createTables, dynamo, tablesUsedBy } from '../support/tables.ts';

async function scheduledWork(now: string, allowsFutureAsOf = true) {
  const tables = await createTables(tablesUsedBy(sweepUses, reconciliationUses));
  const run = commandsOn(tables, { now: () => new Date(now), allowsFutureAsOf });
  return {
    sweepLicenses: (input: object) => run('run-license-sweep', input),
    reconcileRegistry: (input: object) => run('run-registry-reconciliation', input),
    missedBefore: (day: string) => createSweepStore(tablesOf(dynamo, tables)).begin(day),
  };
}

test('runs as of now, as of a time, or as of a date in New York', async () => {
  const { sweepLicenses, missedBefore } = await scheduledWork('2027-02-10T04:00:00.000Z');
  expect(await sweepLicenses({})).toEqual({
    days: 1,
    jobs: 48,
    licenses: 0,
    events: 0,
    failed: 0,
  });
  expect(await missedBefore('2027-02-11')).toEqual(['2027-02-10']);
  expect(await sweepLicenses({ asOf: '2027-02-11T10:00:00.000Z' })).toMatchObject({ days: 2 });
  expect(await sweepLicenses({ asOf: '2027-02-12' })).toMatchObject({ days: 1 });
  expect(await missedBefore('2027-02-13')).toEqual([]);
});

test('a registry reconciliation returns its counts', async () => {
  const { reconcileRegistry } = await scheduledWork('2027-02-10T04:00:00.000Z');
  const none = {
    npns: 0,
    subscriptions: 0,
    changed: 0,
    actions: 0,
    added: 0,
    updated: 0,
    failed: 0,
    left: 0,
  };
  expect(await reconcileRegistry({})).toEqual(none);
});

test.each([
  // It is still 9 February in New York.
  ['2027-02-10', false],
  ['2027-02-09', true],
  ['2027-02-10T04:00:00.001Z', false],
  ['2027-02-10T04:00:00.000Z', true],
  ['2027-02-09T23:30:00.000-05:00', false],
])('outside the local run, work as of %s is done at 04:00 UTC on 10 February: %s', async (asOf, isDone) => {
  const { sweepLicenses, reconcileRegistry, missedBefore } = await scheduledWork(
    '2027-02-10T04:00:00.000Z',
    false,
  );
  for (const run of [reconcileRegistry, sweepLicenses]) {
    if (isDone) await expect(run({ asOf })).resolves.toMatchObject({ failed: 0 });
    else {
      await expect(run({ asOf })).rejects.toMatchObject({
        errorType: 'validation_error',
        details: { issues: [{ path: 'asOf', message: expect.stringContaining('2027-02-09') }] },
      });
    }
  }
  // A refused one has swept nothing.
  expect(await missedBefore('2027-02-10')).toEqual([]);
});

test.each([
  '0000-01-01',
  '0202-11-26',
  '2016-02-09',
  '2026-01-04',
  '2026-01-05T04:59:59.999Z',
  '0202-11-26T12:00:00Z',
  '9999-12-31T23:59:59-00:01',
])('no work is done as of %s, and the next sweep is as before', async (asOf) => {
  const { sweepLicenses, reconcileRegistry, missedBefore } = await scheduledWork('2027-02-10T04:00:00.000Z');
  for (const run of [reconcileRegistry, sweepLicenses]) {
    await expect(run({ asOf })).rejects.toMatchObject({ details: { issues: [{ path: 'asOf' }] } });
  }
  expect(await missedBefore('2027-02-10')).toEqual([]);
});

test('work is done as of 400 days ago', async () => {
  const { sweepLicenses, missedBefore } = await scheduledWork('2027-02-10T04:00:00.000Z');
  expect(await sweepLicenses({ asOf: '2026-01-05' })).toMatchObject({ days: 1 });
  expect(await sweepLicenses({ asOf: '2026-01-05T05:00:00Z' })).toMatchObject({ days: 1 });
  expect(await missedBefore('2026-01-07')).toEqual(['2026-01-06']);
});
