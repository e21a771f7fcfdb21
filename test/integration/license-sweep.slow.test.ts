import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { eventPayloads } from '#domain/events/payloads.ts';
import { jobsOf } from '#domain/license-sweep/store.ts';
import type { License } from '#domain/registry/resources.ts';
import { entryPrefix } from '#domain/registry-records/license-entries.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { addDays } from '#platform/dates/dates.ts';
import { sweep, sweepAll, sweepJobs } from '../../functions/license-sweep/function.ts';
import { eventsIn } from '../support/events.ts';
import { holdersIn, recordedItems, reportOf } from '../support/holders.ts';
import {
  agency,
  agentId,
  associationId,
  carrier,
  expired,
  expiring,
  licenseEvents,
  morning,
  put,
  putAgencyNpn,
  putAgentNpn,
  putLicense,
  sweepDeps,
  tables,
  today,
} from '../support/registry-records-tests.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

/** The entry of a license. */
const entryOf = (license: License) =>
  recordedItems(carrier, { licenses: [license] }).find(({ sk }) => String(sk).startsWith(entryPrefix)) ?? {};

const keyOf = (license: License) => {
  const { pk, sk } = entryOf(license);
  return { pk, sk };
};

describe('license sweep', () => {
  /** The days that a sweep of tomorrow would do besides its own. */
  const missed = () => sweepDeps().store.begin(addDays(today, 1));

  test('a license’s expiration is emitted 60 days before its renewal date and the day after it', async () => {
    await putAgentNpn('1');
    await putAgencyNpn('2');
    await putLicense('1', expiring, { isHeld: false });
    await putLicense('2', expired);
    await putLicense('3', '2027-04-10');
    await putLicense('4', today);
    await putLicense('5', null);
    const counts = await sweepAll(morning(today), sweepDeps());
    expect(counts).toEqual({ days: 1, jobs: 48, licenses: 2, events: 2, failed: 0 });
    expect(await licenseEvents()).toEqual([
      'AGENT_LICENSE_EXPIRING 1',
      'DOWNSTREAM_ENTITY_LICENSE_EXPIRED 2',
    ]);
    const all = await eventsIn(tables.outbox);
    expect(all.find(({ type }) => type === 'AGENT_LICENSE_EXPIRING')).toMatchObject({
      upstreamEntityId: carrier,
      entityId: agentId,
      payload: {
        agentId,
        daysUntilExpiration: 60,
        expiringWindowDays: 60,
        nextRenewalDate: expiring,
        status: 'active',
        residencyStatus: 'resident',
      },
    });
    const payload = all.find(({ type }) => type === 'DOWNSTREAM_ENTITY_LICENSE_EXPIRED')?.payload;
    expect(z.parse(eventPayloads.DOWNSTREAM_ENTITY_LICENSE_EXPIRED, payload)).toMatchObject({
      downstreamEntityAssociationId: associationId,
      daysUntilExpiration: -1,
    });
    // The license did not change, but its holder is not licensed from today on.
    expect(all.filter(({ type }) => type === 'COMPLIANCE_INPUTS_CHANGED').map((one) => one.payload)).toEqual([
      { npn: '2' },
    ]);
  });

  test('of whom a carrier has both as an agent and as an agency, the events of both are emitted, once', async () => {
    await putAgentNpn('1');
    await putAgencyNpn('1');
    await putLicense('1', expiring, { isHeld: false, entityModel: 'agent' });
    await putAgentNpn('2');
    await putAgencyNpn('2');
    await putLicense('2', expired, { isHeld: false, entityModel: 'downstreamEntity' });
    expect(await sweepAll(morning(today), sweepDeps())).toMatchObject({ licenses: 2, events: 2, failed: 0 });
    const emitted = [
      'AGENT_LICENSE_EXPIRED 2',
      'AGENT_LICENSE_EXPIRING 1',
      'DOWNSTREAM_ENTITY_LICENSE_EXPIRED 2',
      'DOWNSTREAM_ENTITY_LICENSE_EXPIRING 1',
    ];
    expect(await licenseEvents()).toEqual(emitted);
    await sweepAll(morning(today), sweepDeps());
    expect(await licenseEvents()).toEqual(emitted);
  });

  test('the renewal date has events, whatever the expiration date is; where there is none, the expiration date', async () => {
    await putLicense('1', '2028-03-31', { expirationDate: expiring });
    await putLicense('2', null, { expirationDate: expired });
    await putLicense('3', expired, { expirationDate: '2026-12-31' });
    await putLicense('4', null, { expirationDate: null });
    await sweepAll(morning(today), sweepDeps());
    expect(await licenseEvents()).toEqual([
      'DOWNSTREAM_ENTITY_LICENSE_EXPIRED 2',
      'DOWNSTREAM_ENTITY_LICENSE_EXPIRED 3',
    ]);
    const payloads = (await eventsIn(tables.outbox)).map(({ payload }) => payload);
    expect(payloads).toContainEqual(expect.objectContaining({ npn: '2', nextRenewalDate: expired }));
  });

  test('a boundary that was reported by the expiration date is not reported again once a later renewal date is known', async () => {
    const later = addDays(expiring, 18);
    await putLicense('1', null, { expirationDate: expiring });
    await sweepAll(morning(today), sweepDeps());
    await putLicense('1', later, { expirationDate: expiring });
    await sweepAll(morning(addDays(today, 18)), sweepDeps());
    expect(await licenseEvents()).toEqual(['DOWNSTREAM_ENTITY_LICENSE_EXPIRING 1']);
  });

  test('concurrent sweeps emit one event per license', async () => {
    for (let npn = 1; npn <= 6; npn += 1) await putLicense(String(npn), expiring);
    const counts = await Promise.all([1, 2, 3].map(() => sweepAll(morning(today), sweepDeps())));
    expect(counts.reduce((sum, { events }) => sum + events, 0)).toBe(6);
    expect(new Set(await licenseEvents()).size).toBe(6);
    expect(await licenseEvents()).toHaveLength(6);
    expect(await sweepAll(morning(today), sweepDeps())).toMatchObject({ licenses: 6, events: 0 });
  });

  test('a sweep that fails at any write is completed by the next one', async () => {
    for (let npn = 1; npn <= 4; npn += 1) await putLicense(String(npn), npn % 2 === 0 ? expiring : expired);
    for (let writes = 0; writes < 4; writes += 1) {
      const { store } = sweepDeps();
      let left = writes;
      const breaks = sweepDeps({
        mark: async (...given) => {
          if (left === 0) throw new Error('broken off');
          left -= 1;
          return store.mark(...given);
        },
      });
      const { failed } = await sweepAll(morning(today), breaks);
      expect(failed).toBeGreaterThan(0);
      // The day is complete once each of its jobs was done in some sweep, and never before.
      if ((await missed()).length === 0) expect(await licenseEvents()).toHaveLength(4);
    }
    await sweepAll(morning(today), sweepDeps());
    expect(await licenseEvents()).toHaveLength(4);
    expect(await missed()).toEqual([]);
  });

  test('an unreadable job does not stop the other jobs, and counts as a failure', async () => {
    for (let npn = 1; npn <= 6; npn += 1) await putLicense(String(npn), npn % 2 === 0 ? expiring : expired);
    const { store } = sweepDeps();
    const counts = await sweepAll(
      morning(today),
      sweepDeps({
        async *due(job) {
          if (job.kind === 'EXPIRED') throw new Error('throttled');
          yield* store.due(job);
        },
      }),
    );
    expect(counts).toMatchObject({ events: 3, failed: 16 });
    expect(await missed()).toEqual([today]);
  });

  test('contract: missed days are caught up first, with values as of the day of the sweep', async () => {
    await sweepAll(morning(today), sweepDeps());
    await putLicense('1', '2027-04-13');
    await putLicense('2', '2027-02-11');
    const counts = await sweepAll(morning('2027-02-15'), sweepDeps());
    expect(counts).toMatchObject({ days: 5, jobs: 240, licenses: 2, events: 2, failed: 0 });
    expect(await licenseEvents()).toEqual([
      'DOWNSTREAM_ENTITY_LICENSE_EXPIRED 2',
      'DOWNSTREAM_ENTITY_LICENSE_EXPIRING 1',
    ]);
    const days = (await eventsIn(tables.outbox))
      .map(({ payload }) => z.safeParse(z.looseObject({ daysUntilExpiration: z.int() }), payload).data)
      .flatMap((payload) => payload?.daysUntilExpiration ?? []);
    expect(days.sort()).toEqual([-4, 57]);
  });

  test('an unfinished day is finished later, without repeating what was done', async () => {
    const { store } = sweepDeps();
    await store.begin(today);
    const [first, second, ...others] = jobsOf(today, today);
    for (const job of others) await sweep(job, sweepDeps());
    expect(await missed()).toEqual([today]);
    const later: number[] = [];
    for await (const jobs of sweepJobs(morning('2027-02-12'), store)) later.push(jobs.length);
    expect(later).toEqual([2, 48, 48]);
    // Days may be completed in any order.
    for (const job of jobsOf('2027-02-11', '2027-02-12')) await sweep(job, sweepDeps());
    expect(await store.begin('2027-02-12')).toEqual([today]);
    for (const job of [first, second]) if (job !== undefined) await sweep(job, sweepDeps());
    expect(await store.begin('2027-02-12')).toEqual([]);
  });

  test('contract: a license first seen after the day of a boundary gets no event for it', async () => {
    await sweepAll(morning('2027-02-08'), sweepDeps());
    await putLicense('1', expiring, { createdAt: '2027-02-11T04:59:00.000Z' });
    await putLicense('2', expiring, { createdAt: '2027-02-11T05:00:00.000Z' });
    await sweepAll(morning('2027-02-12'), sweepDeps());
    expect(await licenseEvents()).toEqual(['DOWNSTREAM_ENTITY_LICENSE_EXPIRING 1']);
  });

  test('a renewed license gets new boundaries; one that is renewed during the sweep is skipped', async () => {
    await putLicense('1', expiring);
    await sweepAll(morning(today), sweepDeps());
    await putLicense('1', '2027-04-14');
    await sweepAll(morning('2027-02-13'), sweepDeps());
    expect(await licenseEvents()).toHaveLength(2);

    const due = await putLicense('2', expired);
    const { store } = sweepDeps();
    const moves = sweepDeps({
      mark: async (...given) => {
        await dynamo.send(
          new UpdateItemCommand({
            TableName: tables.registryRecords,
            Key: toItem(keyOf(due)),
            UpdateExpression: 'SET renewalKey = :later',
            ExpressionAttributeValues: toItem({ ':later': '2029-02-10#1' }),
          }),
        );
        return store.mark(...given);
      },
    });
    expect(await sweepAll(morning(today), moves)).toMatchObject({ events: 0 });
  });

  test('a license of which another row counts from a day on is found by its status from the sweep of that day on', async () => {
    const holders = holdersIn(tables.registryRecords);
    const former = { status: 'Active', issueDate: '2020-01-01', nextRenewalDate: '2027-02-09' };
    const next = { status: 'Renewed', issueDate: today, nextRenewalDate: '2029-02-09' };
    await holders.poll(carrier, '1', '2027-01-10T10:00:00.000Z', reportOf({ licenses: [former, next] }));
    const statuses = async () =>
      Array.from(await holders.itemsOf(carrier, '1')).flatMap(([sk, { statusKey }]) =>
        sk.startsWith(entryPrefix) ? [String(statusKey).split('#').at(-1)] : [],
      );
    expect(await statuses()).toEqual(['Active']);
    await sweepAll(morning(today), sweepDeps());
    expect(await statuses()).toEqual(['Renewed']);
  });

  test('a license that goes between its read and its mark emits no event', async () => {
    await putLicense('1', expired);
    const { store } = sweepDeps();
    const deletes = sweepDeps({
      mark: async (...given) => {
        const report = { licenses: [], appointments: undefined, actions: [] };
        await holdersIn(tables.registryRecords).poll(carrier, '1', morning(today).toISOString(), report);
        return store.mark(...given);
      },
    });
    expect(await sweepAll(morning(today), deletes)).toMatchObject({ licenses: 1, events: 0 });
  });

  test('agencies’ own licenses, and those that are not to be renewed, emit no events', async () => {
    await putLicense('1', expiring, { owner: agency });
    const former = await putLicense('2', expiring);
    const { renewalKey: _key, ...entry } = entryOf(former);
    await put(tables.registryRecords, entry);
    expect(await sweepAll(morning(today), sweepDeps())).toMatchObject({ licenses: 0, events: 0 });
  });

  test.each([
    ['2027-03-14', '2027-03-14T09:00:00.000Z', 'the start of daylight saving time'],
    ['2027-11-07', '2027-11-07T10:00:00.000Z', 'the end of daylight saving time'],
    ['2028-02-29', '2028-02-29T10:00:00.000Z', 'a leap day'],
  ])('the sweep of %s, %s in UTC, is that of %s', async (day, instant) => {
    const days: string[] = [];
    for await (const jobs of sweepJobs(new Date(instant), sweepDeps().store)) {
      for (const job of jobs) days.push(job.day);
    }
    expect(new Set(days)).toEqual(new Set([day]));
  });

  test('a job reads licenses, subscriptions, and holders in batches', async () => {
    for (let npn = 1; npn <= 20; npn += 1)
      await putAgentNpn(String(npn)).then(() => putLicense(String(npn), expiring));
    const { calls } = await databaseCalls(() => sweepAll(morning(today), sweepDeps()));
    const reads = calls.filter((call) => call === 'BatchGetItemCommand');
    // Twenty licenses are in at most sixteen partitions: a batch of licenses, one of agents, and one of agencies for each.
    expect(reads.length).toBeLessThanOrEqual(48);
    // One for each license, and one that completes the day.
    expect(calls.filter((call) => call === 'TransactWriteItemsCommand')).toHaveLength(21);
  });

  // The calendar date that is written counts, whatever time or zone follows it.
  test.each([
    ['2027-02-09', today],
    ['2027-02-09T23:00:00-04:00', today],
    ['2027-02-10T03:00:00Z', addDays(today, 1)],
  ])('a license whose renewal date is %s is expired on %s', async (written, day) => {
    await putLicense('1', written);
    for (const swept of [today, addDays(today, 1)]) {
      const { events } = await sweepAll(morning(swept), sweepDeps());
      expect([swept, events]).toEqual([swept, swept === day ? 1 : 0]);
    }
  });
});
