// Reports of more holders or bytes than one transaction takes.

import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { associationKeys } from '../../shared/domain/associations/stored.ts';
import { stateCodes } from '../../shared/platform/contract/primitives.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import {
  addAgency,
  addAgent,
  advance,
  agencyNpn,
  agentId,
  agentNpn,
  carrier,
  configure,
  deliverChange,
  events,
  logged,
  names,
  putAssociations,
  putLicense,
  work,
  worker,
} from '../support/compliance-changes-tests.ts';
import { withFaults, withInterruption } from '../support/faults.ts';
import { newId } from '../support/filings.ts';
import { dynamo } from '../support/tables.ts';

/** A change of an agency with so many branches, of which each state of a product is new; returns the ids of the branches. */
async function changeWithBranches(length: number, linesOfAuthority = ['16']): Promise<string[]> {
  await addAgency();
  const branches = Array.from({ length }, (_, index) => String(index + 1).padStart(24, 'b'));
  await putAssociations(branches.map((branch) => [branch, branch]));
  await deliverChange(agencyNpn);
  await advance(61);
  await configure(stateCodes.map((stateCode) => ({ stateCode, linesOfAuthority, appointment: 'required' })));
  await deliverChange(agencyNpn);
  return branches;
}

test.each([
  ['more events', 94, ['16']],
  ['more bytes', 29, Array.from({ length: 100 }, (_, index) => `line of authority ${index}`)],
])('an agency with %s than a transaction takes is emitted in full', async (_, branches, lines) => {
  await changeWithBranches(branches, lines);
  await advance(61);
  const emitted = await events();
  expect(emitted).toHaveLength(branches + 1);
  expect(new Set(emitted.map((event) => event.entityId)).size).toBe(branches + 1);
  expect(worker.queue).toEqual([]);
});

test('an event that no item of the outbox takes is held back and logged, and those of others are emitted', async () => {
  const ofMany = newId();
  await addAgent(ofMany, agentNpn, Array.from({ length: 14_800 }, newId));
  await putLicense(agentNpn);
  await deliverChange(agentNpn);
  await advance(61);
  expect((await events()).map(({ entityId }) => entityId)).toEqual([agentId]);
  expect(logged).toMatchObject([{ level: 'error', event: 'event_refused', entityId: ofMany }]);
  expect(worker.queue).toEqual([]);
});

/** Ends the window, whose report breaks off after some of its events; the queue delivers what is returned once more. */
async function breakOff() {
  let transactions = 0;
  worker.clock += 61_000;
  const due = worker.queue.splice(0);
  await withFaults(
    (command) => (command === 'TransactWriteItemsCommand' && ++transactions > 10 ? 'before' : 'none'),
    async () => {
      for (const { message } of due) await expect(work(message)).rejects.toThrow('broke off');
    },
  );
  return due;
}

test('an emission that broke off is completed, although an agency has left meanwhile', async () => {
  const branches = await changeWithBranches(39);
  const due = await breakOff();
  const early = new Set((await events()).map(({ entityId }) => entityId));
  expect(early.size).toBeGreaterThan(0);
  const gone = branches.find((branch) => !early.has(branch)) ?? '';
  await dynamo.send(
    new DeleteItemCommand({
      TableName: names.associations,
      Key: toItem(associationKeys.association(carrier, gone)),
    }),
  );
  for (const { message } of due) await work(message);
  await advance(61);
  const all = await events();
  expect(all).toHaveLength(39);
  expect(new Set(all.map((event) => event.entityId)).size).toBe(39);
});

/** How many receive which license statuses, one after the other. */
async function receivedStatuses(): Promise<Record<string, number>> {
  const ofEach = new Map<string, string[]>();
  for (const { entityId, payload } of await events()) {
    const status = JSON.stringify(payload).match(/"statusName":"([^"]+)"/)?.[1] ?? '';
    ofEach.set(entityId, [...(ofEach.get(entityId) ?? []), status]);
  }
  const counts: Record<string, number> = {};
  for (const statuses of ofEach.values()) {
    const words = statuses.join(', ');
    counts[words] = (counts[words] ?? 0) + 1;
  }
  return counts;
}

/** An agency with so many branches, whose license is to be reported at the end of the window. */
async function licensedBranches(length: number): Promise<void> {
  await addAgency();
  await putAssociations(Array.from({ length }, () => newId()).map((branch) => [branch, branch]));
  await putLicense(agencyNpn);
  await deliverChange(agencyNpn);
}

const loseLicense = () => putLicense(agencyNpn, 'inactive');

test('a change that is taken back while many are being emitted is corrected for each of them', async () => {
  await licensedBranches(49);
  let transactions = 0;
  await withInterruption(
    (command) => command === 'TransactWriteItemsCommand' && ++transactions === 5,
    async () => {
      await loseLicense();
      await deliverChange(agencyNpn);
    },
    () => advance(61),
  );
  await advance(7_200);
  expect(worker.queue).toEqual([]);
  expect(await receivedStatuses()).toEqual({ 'Licensed, Missing License': 50 });
});

test.each([
  ['is taken back', 'Missing License', loseLicense],
  [
    'goes on',
    'Missing Line of Authority',
    () => configure([{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'not required' }]),
  ],
])(
  'a change that %s after its emission broke off is completed, and then corrected',
  async (_, last, change) => {
    await licensedBranches(39);
    const due = await breakOff();
    worker.clock += 1_000;
    await change();
    // The event of the change is still on its way.
    for (const { message } of due) await work(message);
    worker.clock += 1_000;
    await deliverChange(agencyNpn);
    await advance(3_600);
    expect(await receivedStatuses()).toEqual({ [`Licensed, ${last}`]: 40 });
  },
);

test('a change that was noted after its emission broke off corrects all when its window is over', async () => {
  await licensedBranches(39);
  const due = await breakOff();
  await loseLicense();
  await deliverChange(agencyNpn);
  for (const { message } of due) await work(message);
  // Time passes with each call of the database: receivers get a holder's events in the order of their times.
  await withFaults(
    () => {
      worker.clock += 1;
      return 'none';
    },
    () => advance(3_600),
  );
  expect(worker.queue).toEqual([]);
  expect(await receivedStatuses()).toEqual({ 'Licensed, Missing License': 40 });
});

test('concurrent workers emit a change of many branches once', async () => {
  await licensedBranches(49);
  worker.clock += 61_000;
  const due = worker.queue.splice(0);
  await Promise.all(due.flatMap(({ message }) => Array.from({ length: 3 }, () => work(message))));
  expect(await receivedStatuses()).toEqual({ Licensed: 50 });
});
