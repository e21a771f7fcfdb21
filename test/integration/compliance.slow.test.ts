import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { associationKeys } from '#domain/associations/stored.ts';
import { stateCodes } from '#platform/contract/primitives.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { dueMessage } from '../../functions/compliance-changes/function.ts';
import {
  addAgency,
  addLargeProducers,
  addProducers,
  advance,
  agencyNpn,
  agentNpn,
  carrier,
  configure,
  deliverChange,
  deliverUntilDone,
  enqueue,
  events,
  names,
  npnsOf,
  npnsUpTo,
  putAssociations,
  putLicense,
  takeMessages,
  work,
  worker,
} from '../support/compliance-changes-tests.ts';
import { type Fault, withFaults, withInterruption } from '../support/faults.ts';
import { newId } from '../support/filings.ts';
import { dynamo } from '../support/tables.ts';

describe('compliance rechecks', () => {
  /** Two pages of a recheck, by their number; others are by their size. */
  const many = npnsUpTo(1_300);

  /** Has the call with this number break off, counted over calls of the database and of the queue. */
  function breakingOff(broken: number, fault: Fault) {
    let calls = 0;
    const faultNow = (): Fault => {
      calls += 1;
      return calls === broken ? fault : 'none';
    };
    worker.send = async (...sent) => {
      const now = faultNow();
      if (now === 'before') throw new Error('broke off');
      await enqueue(...sent);
      if (now === 'after') throw new Error('broke off');
    };
    return {
      run: <Result>(doWork: () => Promise<Result>) => withFaults(faultNow, doWork),
      calls: () => calls,
    };
  }

  test('a recheck is sent as jobs that cover every NPN once, and a job sends no other job', async () => {
    await addAgency();
    await addProducers(many);
    expect(await deliverChange()).toBe('done');
    const jobs = takeMessages();
    expect(npnsOf(jobs).sort()).toEqual([agentNpn, agencyNpn, ...many].sort());
    expect(jobs.length).toBeLessThan(17);
    const [smallest = {}] = jobs.toSorted((one, other) => npnsOf([one]).length - npnsOf([other]).length);
    await work(smallest);
    const sent = takeMessages().map((message) => z.parse(dueMessage, message).due.npn);
    expect(sent.sort()).toEqual(npnsOf([smallest]).sort());
  });

  test('a recheck that breaks off at any call is made again by the next delivery, and leaves out nobody', async () => {
    await addAgency();
    await addLargeProducers();
    const whole = breakingOff(0, 'none');
    await whole.run(() => deliverChange());
    const all = npnsOf(takeMessages()).sort();
    expect(whole.calls()).toBeLessThan(20);
    for (let broken = 1; broken <= whole.calls(); broken += 1) {
      const { run } = breakingOff(broken, broken % 2 === 0 ? 'after' : 'before');
      await run(() => deliverUntilDone(() => deliverChange()));
      expect([...new Set(npnsOf(takeMessages()))].sort()).toEqual(all);
    }
  });

  test('a job that breaks off at any call reports each change once', async () => {
    await putLicense(agentNpn);
    let statuses = 0;
    const reportOnce = async (broken: number, fault: Fault): Promise<number> => {
      // Each round changes the status of the one producer.
      statuses += 1;
      await putLicense(agentNpn, statuses % 2 === 1 ? 'active' : 'inactive');
      await deliverChange();
      const [job = {}] = takeMessages();
      const { run, calls } = breakingOff(broken, fault);
      await run(() => deliverUntilDone(() => work(job)));
      const used = calls();
      worker.send = enqueue;
      await advance(61);
      // A job may be done again long after: it finds nothing to report.
      await work(job);
      await advance(61);
      expect(await events()).toHaveLength(statuses);
      expect(worker.queue).toEqual([]);
      return used;
    };
    const calls = await reportOnce(0, 'none');
    for (let broken = 1; broken <= calls; broken += 1) {
      await reportOnce(broken, broken % 2 === 0 ? 'before' : 'after');
    }
  });
});

// Reports of more holders or bytes than one transaction takes.
describe('compliance changes of many', () => {
  /** A change of an agency with so many branches, of which each state of a product is new; returns the ids of the branches. */
  async function changeWithBranches(length: number, linesOfAuthority = ['16']): Promise<string[]> {
    await addAgency();
    const branches = Array.from({ length }, (_, index) => String(index + 1).padStart(24, 'b'));
    await putAssociations(branches.map((branch) => [branch, branch]));
    await deliverChange(agencyNpn);
    await advance(61);
    await configure(
      stateCodes.map((stateCode) => ({ stateCode, linesOfAuthority, appointment: 'required' })),
    );
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
    const branches = await changeWithBranches(59);
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
    expect(all).toHaveLength(59);
    expect(new Set(all.map((event) => event.entityId)).size).toBe(59);
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

  /** So many receive what a change came to: some after what an emission sent that broke off. */
  async function expectCorrected(last: string, count: number): Promise<void> {
    const received = await receivedStatuses();
    expect(Object.keys(received).sort()).toEqual([`Licensed, ${last}`, last]);
    expect(Object.values(received).reduce((sum, some) => sum + some)).toBe(count);
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
    'a change that %s after its emission broke off is corrected, and everybody has what it came to',
    async (_, last, change) => {
      await licensedBranches(59);
      const due = await breakOff();
      worker.clock += 1_000;
      await change();
      // The event of the change is still on its way.
      for (const { message } of due) await work(message);
      worker.clock += 1_000;
      await deliverChange(agencyNpn);
      await advance(3_600);
      await expectCorrected(last, 60);
    },
  );

  test('concurrent workers emit a change of many branches once', async () => {
    await licensedBranches(49);
    worker.clock += 61_000;
    const due = worker.queue.splice(0);
    await Promise.all(due.flatMap(({ message }) => Array.from({ length: 3 }, () => work(message))));
    expect(await receivedStatuses()).toEqual({ Licensed: 50 });
  });
});
