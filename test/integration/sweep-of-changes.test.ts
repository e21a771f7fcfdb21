import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { agentKeys } from '../../shared/domain/agents/stored.ts';
import { createRecordConfig } from '../../shared/domain/compliance/record-config.ts';
import { complianceTable } from '../../shared/domain/compliance/table.ts';
import { sweepAll } from '../../shared/domain/license-sweep/sweep.ts';
import type { License } from '../../shared/domain/registry/license.ts';
import {
  dueDayItem,
  newSubscription,
  registryKeys,
  subscriptionItem,
} from '../../shared/domain/registry-records/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { eventsIn } from '../support/events.ts';
import { withInterruption } from '../support/faults.ts';
import { holdersIn, reportOf } from '../support/holders.ts';
import { lookingInto, sweepOnNewTables, sweptShard } from '../support/license-sweep.ts';
import { dynamo } from '../support/tables.ts';

const carrier = '65f0c1d2e3a4b5c6d7e8f900';
const agency = '65f0c1d2e3a4b5c6d7e8f999';
const npn = '17654321';

const shards = new Set([carrier, agency].map((owner) => sweptShard(owner, npn)));

let now: Date;
let swept: Awaited<ReturnType<typeof sweepOnNewTables>>;

/** 05:00 in New York, in summer. */
const morning = (day: string): Date => new Date(`${day}T09:00:00.000Z`);

const put = (TableName: string, item: Record<string, unknown>) =>
  dynamo.send(new PutItemCommand({ TableName, Item: toItem(item) }));

beforeEach(async () => {
  swept = await sweepOnNewTables(
    () => now,
    (error) => {
      throw error;
    },
  );
  for (const [dataOwnerId, dataOwnerModel] of [
    [carrier, 'upstreamEntity'],
    [agency, 'downstreamEntity'],
  ] as const) {
    const subscription = newSubscription({ dataOwnerId, dataOwnerModel }, npn, null);
    await put(swept.tables.registryRecords, subscriptionItem(dataOwnerId, subscription, new Date()));
  }
  await put(swept.tables.agents, { ...agentKeys.npn(carrier, npn), agentId: '65f0c1d2e3a4b5c6d7e8f903' });
});

/** A poll of the registry at a time, which lists these licenses. */
const poll = (
  at: string,
  licenses: readonly Partial<License>[],
  { owner = carrier, isSilent = false } = {},
) => holdersIn(swept.tables.registryRecords).poll(owner, npn, at, reportOf({ licenses }), { isSilent });

/** Sweeps a day, and returns the events that came with it. */
async function sweepOn(day: string): Promise<string[]> {
  now = morning(day);
  const before = new Set((await eventsIn(swept.tables.outbox)).map(({ eventId }) => eventId));
  await sweepAll(now, { ...swept.deps, store: lookingInto(shards, swept.deps.store) });
  const events = (await eventsIn(swept.tables.outbox)).filter(({ eventId }) => !before.has(eventId));
  return events.map(({ type, payload }) => `${type} ${Object(payload).nextRenewalDate ?? ''}`.trim()).sort();
}

const until = (date: string | null, rest: Partial<License> = {}): Partial<License> => ({
  issueDate: '2020-01-01',
  nextRenewalDate: date,
  expirationDate: date,
  ...rest,
});

const changed = 'COMPLIANCE_INPUTS_CHANGED';

test('whoever has a record that begins, or has ended, is checked again on that day, once, also days later', async () => {
  await poll('2026-06-01T12:00:00Z', [
    until('2026-06-10'),
    until(null, { licenseNumber: '2', issueDate: '2026-06-04' }),
    until('2026-06-06', { licenseNumber: '3' }),
  ]);
  expect(await sweepOn('2026-06-03')).toEqual([]);
  expect(await sweepOn('2026-06-04')).toEqual([changed]);
  expect(await sweepOn('2026-06-04')).toEqual([]);
  // Those of 5 to 8 June were missed.
  expect(await sweepOn('2026-06-09')).toEqual(['AGENT_LICENSE_EXPIRED 2026-06-06', changed]);
  expect(await sweepOn('2026-06-11')).toEqual(['AGENT_LICENSE_EXPIRED 2026-06-10', changed]);
  expect(await sweepOn('2026-06-12')).toEqual([]);
});

test('a change of records before the sweep of the day leaves that day to the sweep', async () => {
  await poll('2026-06-01T12:00:00Z', [until('2026-06-10'), until('2027-01-01', { licenseNumber: '2' })]);
  // 01:00 in New York.
  await poll('2026-06-11T05:00:00Z', [until('2026-06-10')], { isSilent: true });
  expect(await sweepOn('2026-06-11')).toEqual(['AGENT_LICENSE_EXPIRED 2026-06-10', changed]);
});

describe('a day of change that a poll brings nearer', () => {
  const before = [until('2026-06-10'), until('2027-01-01', { licenseNumber: '2' })];
  const newPoll = () =>
    poll('2026-06-11T09:00:00Z', [until('2026-06-10'), until('2026-06-25', { licenseNumber: '2' })]);
  const sweepOfDay = () => sweepOn('2026-06-11');

  /** Has other work come right after the first read of what is recorded of the NPN. */
  const afterReading = (interrupt: () => Promise<unknown>, work: () => Promise<unknown>) =>
    withInterruption(
      (command, input) => command === 'QueryCommand' && JSON.stringify(input).includes(`#NPN#${npn}"`),
      interrupt,
      work,
    );

  it.each([
    ['during the sweep of the earlier day', () => afterReading(newPoll, sweepOfDay)],
    ['before that sweep, and is over after it', () => afterReading(sweepOfDay, newPoll)],
  ])('is swept, when the poll begins %s', async (_, meet) => {
    await poll('2026-06-01T12:00:00Z', before);
    await meet();
    expect(await sweepOn('2026-06-26')).toContain(changed);
  });
});

test('an agency’s own records send no events, and are found on their next day all the same', async () => {
  await poll('2026-06-01T12:00:00Z', [until('2026-06-10'), until('2026-06-20', { licenseNumber: '2' })], {
    owner: agency,
  });
  const nextDay = async () =>
    (await holdersIn(swept.tables.registryRecords).itemsOf(agency, npn)).get(
      registryKeys.nextChange(agency, npn).sk,
    );
  expect(await nextDay()).toMatchObject({ day: '2026-06-11' });
  expect(await sweepOn('2026-06-11')).toEqual([]);
  expect(await nextDay()).toMatchObject({ day: '2026-06-21' });
  expect(await sweepOn('2026-06-21')).toEqual([]);
  expect(await nextDay()).toBeUndefined();
});

test('a config that begins has everybody checked on that day, once', async () => {
  now = new Date('2026-06-01T12:00:00Z');
  const recordConfig = createRecordConfig(tableOf(complianceTable, dynamo, swept.tables.compliance));
  const productId = '65f0c1d2e3a4b5c6d7e8f905';
  for (const validFrom of ['2026-05-01', '2026-06-05']) {
    const config = { productId, productName: validFrom, states: [], validFrom };
    await recordConfig(carrier, { config, isSilent: false, mustExist: false }, now, () => []);
  }
  expect(await sweepOn('2026-06-04')).toEqual([]);
  expect(await sweepOn('2026-06-05')).toEqual([changed]);
  expect(await sweepOn('2026-06-05')).toEqual([]);
  expect(
    (await eventsIn(swept.tables.outbox)).map(({ entityId, payload }) => ({ entityId, payload })),
  ).toEqual([{ entityId: productId, payload: {} }]);
});

describe('A21: a renewal date that is corrected', () => {
  it.each([
    ['past its end', until('2027-06-10'), until('2026-05-20'), ['AGENT_LICENSE_EXPIRED 2026-05-20']],
    ['from none', until(null), until('2026-05-20'), ['AGENT_LICENSE_EXPIRED 2026-05-20']],
    ['from one past end to another', until('2026-04-20'), until('2026-05-20'), []],
    ['into the sixty days before its end', until('2027-06-10'), until('2026-06-20'), []],
  ])('%s: the next sweep reports what has passed', async (_, before, after, expected) => {
    const licenses = (events: readonly string[]) => events.filter((event) => event !== changed);
    await poll('2026-05-30T12:00:00Z', [before]);
    expect(licenses(await sweepOn('2026-05-31'))).toEqual([]);
    await poll('2026-06-01T12:00:00Z', [after]);
    // Another license changes, before the sweep and after it.
    await poll('2026-06-01T13:00:00Z', [after, until('2030-01-01', { licenseNumber: '2' })]);
    expect(licenses(await sweepOn('2026-06-02'))).toEqual(expected);
    await poll('2026-06-02T13:00:00Z', [after]);
    expect(licenses(await sweepOn('2026-06-03'))).toEqual([]);
  });

  it('by an import without events is not reported, nor is a license that was not known before', async () => {
    await poll('2026-05-30T12:00:00Z', [until('2027-06-10')]);
    await poll('2026-06-01T12:00:00Z', [until('2026-05-20')], { isSilent: true });
    await poll('2026-06-01T13:00:00Z', [until('2026-05-20'), until('2026-05-20', { licenseNumber: '2' })]);
    expect(await sweepOn('2026-06-02')).toEqual([]);
  });
});

test('a poll that changes nothing writes only that it was made, before the day of a change and on it', async () => {
  await poll('2026-06-01T12:00:00Z', [until('2026-06-10')]);
  // Without what is known of visits.
  const written = async () => {
    const items = await holdersIn(swept.tables.registryRecords).itemsOf(carrier, npn);
    return [...items].filter(([sk]) => sk !== 'FACT#VISITS');
  };
  const before = await written();
  for (const at of ['2026-06-02T12:00:00Z', '2026-06-11T05:00:00Z']) {
    await poll(at, [until('2026-06-10')]);
    expect(await written()).toEqual(before);
  }
});

test('whoever has an appointment that is overdue from a day on is checked again on that day, once', async () => {
  await put(swept.tables.registryRecords, dueDayItem(carrier, npn, '2026-06-11'));
  expect(await sweepOn('2026-06-10')).toEqual([]);
  expect(await sweepOn('2026-06-11')).toEqual([changed]);
  expect(await sweepOn('2026-06-11')).toEqual([]);
});
