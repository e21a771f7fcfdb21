import { unknownNpn } from '#domain/registry/registry.ts';
import { createHoldersOfVisits } from '#domain/registry-records/questions.ts';
import { registryKeys, subscriptionIdOf } from '#domain/registry-records/stored.ts';
import { registryRecordsTable } from '#domain/tables.ts';
import { collect } from '#platform/data/concurrently.ts';
import { tableOf } from '#platform/data/table.ts';
import {
  jobsOf,
  reconcile,
  reconcileAll,
  reconciliationJobs,
} from '../../functions/registry-reconciliation/reconcile.ts';
import { createSynchronizationStore } from '../../functions/registry-sync/function.ts';
import { commandsOn } from '../support/admin.ts';
import {
  carrier,
  deps,
  now,
  polled,
  registered,
  subscribe,
  tables,
} from '../support/registry-records-tests.ts';
import { dynamo } from '../support/tables.ts';

// Whom the registry is asked about in a night: in the order of visits, as far as its calls go.

const answer = { licenses: [], appointments: [] };

const daysAfter = (time: Date, days: number) => new Date(time.getTime() + days * 86_400_000);

/** No license of these tests ends soon, which is read in 500 queries a night. */
const depsAt = (time: Date, mostCallsANight?: number) => {
  const atNight = deps(mostCallsANight, () => time);
  return { ...atNight, npns: { ...atNight.npns, endingOn: async () => new Set<string>() } };
};

/** Makes the visits of a night. */
const night = (time: Date, mostCallsANight?: number) => {
  polled.length = 0;
  return reconcileAll(time, depsAt(time, mostCallsANight));
};

const requestVisits = (...npns: readonly string[]) =>
  commandsOn({ registryRecords: tables.registryRecords }, { now })('request-visits', { npns });

/** A first night, in which everybody is visited; returns its time. */
async function begun(...npns: readonly string[]): Promise<Date> {
  for (const npn of npns) {
    registered.set(npn, answer);
    await subscribe(npn);
  }
  const time = daysAfter(now(), 1);
  expect(await night(time)).toMatchObject({ npns: npns.length, failed: 0, left: 0 });
  return time;
}

test('without a bound every NPN is visited every night', async () => {
  const first = await begun('1', '2', '3');
  await night(daysAfter(first, 1));
  expect(polled.toSorted()).toEqual(['1', '2', '3']);
});

test('a visit says for a day who holds the NPN, until another one does not find it', async () => {
  const first = await begun('1', '2');
  const holders = createHoldersOfVisits(tableOf(registryRecordsTable, dynamo, tables.registryRecords));
  const foundOn = async (day: number) =>
    [...(await holders(['1', '2', '3'], daysAfter(first, day))).keys()].sort();
  for (const npn of ['1', '2']) registered.set(npn, { ...answer, kind: 'firm', name: `Firm ${npn}` });
  await night(daysAfter(first, 1));
  expect([await foundOn(1), await foundOn(2)]).toEqual([['1', '2'], []]);
  registered.set('2', unknownNpn);
  await night(daysAfter(first, 2));
  expect(await foundOn(2)).toEqual(['1']);
});

test('NPNs that an operator asks for come first in the next night', async () => {
  const first = await begun('1', '2', '3');
  // The others were not visited for longer.
  registered.delete('2');
  registered.delete('3');
  await night(daysAfter(first, 1));
  for (const npn of ['2', '3']) registered.set(npn, answer);
  expect(await requestVisits('0001', '1', '99')).toEqual({ requested: 1, unknown: 1 });
  await night(daysAfter(first, 2), 1);
  expect(polled).toEqual(['1']);
});

test('an NPN whose synchronization failed comes first in the next night', async () => {
  const first = await begun('1', '2', '3', '4', '5');
  // The order in which they would come.
  const time = daysAfter(first, 1);
  const [job] = (await collect(reconciliationJobs(time, depsAt(time)))).flat();
  const npn = job?.npns.at(-1) ?? '';
  const table = tableOf(registryRecordsTable, dynamo, tables.registryRecords);
  const registryDataSubscriptionId = subscriptionIdOf(carrier, npn);
  await table.update(registryKeys.subscription(carrier, registryDataSubscriptionId), {
    'entityInfo.status': 'in progress',
    'entityInfo.jobId': 'job',
  });
  const synchronizations = createSynchronizationStore(table, () => [], now);
  const ofCarrier = { organizationId: carrier, registryDataSubscriptionId, npn };
  await synchronizations.fail({ ...ofCarrier, jobId: 'another' }, 'Failed.');
  expect((await collect(reconciliationJobs(time, depsAt(time)))).flat()).toEqual([job]);
  await synchronizations.fail({ ...ofCarrier, jobId: 'job' }, 'Failed.');
  await night(time, 1);
  expect(polled).toEqual([npn]);
});

test('an NPN that is asked for while it is visited is visited once more', async () => {
  const first = await begun('1', '2');
  const time = daysAfter(first, 1);
  const jobs = (await collect(reconciliationJobs(time, depsAt(time)))).flat();
  await depsAt(time).npns.requestPoll('1', daysAfter(time, 0.5));
  for (const job of jobs) await reconcile(job, depsAt(time));
  await night(daysAfter(time, 1), 1);
  expect(polled).toEqual(['1']);
});

test('a visit that fails leaves an NPN asked for', async () => {
  const first = await begun('1', '2');
  await requestVisits('1');
  registered.delete('1');
  expect(await night(daysAfter(first, 1), 1)).toMatchObject({ failed: 1 });
  registered.set('1', answer);
  await night(daysAfter(first, 2), 1);
  expect(polled).toEqual(['1']);
});

test('the calls of a night are never exceeded, whoever makes them, and the next night goes on', async () => {
  const npns = ['1', '2', '3', '4', '5'];
  for (const npn of npns) await subscribe(npn);
  const time = daysAfter(now(), 1);
  const [job] = jobsOf(npns.slice(0, 2), { asOf: time, startedAt: time, position: 0 });
  // Two visits fail, and are repeated: each takes a call.
  await expect(job && reconcile(job, depsAt(time, 3))).rejects.toThrow();
  for (const npn of npns) registered.set(npn, answer);
  expect(job && (await reconcile(job, depsAt(time, 3)))).toMatchObject({ npns: 2, failed: 0, left: 1 });
  expect(polled).toHaveLength(3);
  expect(await night(time, 3)).toMatchObject({ failed: 0 });
  expect(polled).toEqual([]);
  expect(await night(daysAfter(time, 1), 3)).toMatchObject({ npns: 3, left: 0 });
  expect(polled).toHaveLength(3);
});
