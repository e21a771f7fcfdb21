import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { dueMessage, walkJob } from '../../functions/compliance-changes/messages.ts';
import {
  addAgency,
  addProducers,
  advance,
  agencyNpn,
  agentId,
  agentNpn,
  associationId,
  carrier,
  configure,
  deliverChange,
  enqueue,
  events,
  names,
  putLicense,
  work,
  worker,
} from '../support/compliance-changes-tests.ts';
import { everyItem } from '../support/every-item.ts';
import { type Fault, withFaults } from '../support/faults.ts';
import { dynamo } from '../support/tables.ts';

const npnsUpTo = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

/** Two pages of a walk, by their number; others are by their size. */
const many = npnsUpTo(1_300);
const producers = npnsUpTo(40);
const pageSize = 25;
const addLargeProducers = () => addProducers(producers, { filler: 'f'.repeat(2 ** 20 / pageSize - 200) });

/** Takes what the worker has sent to itself. */
const takeMessages = (): object[] => worker.queue.splice(0).map(({ message }) => message);

const npnsOf = (messages: readonly object[]): string[] =>
  messages.flatMap((message) => z.parse(walkJob, message).walk.npns);

/** Delivers the message until the worker is done with it, as the queue does; answers how often. */
async function deliverUntilDone(deliver: () => Promise<unknown>): Promise<number> {
  for (let deliveries = 1; deliveries < 100; deliveries += 1) {
    if ((await deliver().catch(() => 'retry')) === 'done') return deliveries;
  }
  throw new Error('The worker is never done.');
}

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

test('a change without an NPN is reported of every producer and agency of the carrier', async () => {
  await addAgency();
  await addProducers(['11', '12']);
  await Promise.all([agentNpn, agencyNpn].map((npn) => putLicense(npn)));
  await deliverChange();
  await advance(61);
  expect((await events()).map((event) => event.entityId).sort()).toEqual([agentId, associationId]);
  expect(worker.queue).toEqual([]);
  // What was reported is spread over partitions, so that a carrier's reports are not limited by one.
  const stored = (await everyItem(dynamo, names.compliance)).map(({ pk }) => String(pk));
  const partitions = stored.filter((pk) => pk.includes('#REPORTED'));
  expect(new Set(partitions).size).toBe(partitions.length);
  expect(partitions).toHaveLength(2);
});

test('a walk is sent as jobs that cover every NPN once, and a job sends no other job', async () => {
  await addAgency();
  await addProducers(many);
  expect(await deliverChange()).toBe('done');
  const jobs = takeMessages();
  expect(npnsOf(jobs).sort()).toEqual([agentNpn, agencyNpn, ...many].sort());
  expect(jobs.length).toBeLessThan(17);
  await work(jobs[0] ?? {});
  const sent = takeMessages().map((message) => z.parse(dueMessage, message).due.npn);
  expect(sent.sort()).toEqual(npnsOf(jobs.slice(0, 1)).sort());
  // The walk is over: nothing is remembered of it.
  const stored = await everyItem(dynamo, names.compliance);
  expect(stored.filter(({ pk }) => String(pk).endsWith('#WALK'))).toEqual([]);
});

test('a change of a state’s classes of licenses is noted of who has a license there alone', async () => {
  await addAgency();
  await addProducers(['11', '12']);
  await Promise.all([agentNpn, '12'].map((npn) => putLicense(npn)));
  const noted = async (stateCode: string) => {
    const payload = { stateCode };
    await work({ source: 'test', detail: { eventId: randomUUID(), upstreamEntityId: carrier, payload } });
    for (const job of takeMessages()) await work(job);
    return takeMessages().map((message) => z.parse(dueMessage, message).due.npn);
  };
  expect((await noted('TX')).sort()).toEqual([agentNpn, '12'].sort());
  expect(await noted('OK')).toEqual([]);
});

test('a walk that breaks off at any call is continued by the next delivery, and leaves out nobody', async () => {
  await addAgency();
  await addLargeProducers();
  const whole = breakingOff(0, 'none');
  await whole.run(() => deliverChange());
  const all = npnsOf(takeMessages()).sort();
  expect(whole.calls()).toBeLessThan(20);
  for (let broken = 1; broken <= whole.calls(); broken += 1) {
    // Before one call, after the next; after the last one in any case.
    const fault = (whole.calls() - broken) % 2 === 0 ? 'after' : 'before';
    const eventId = randomUUID();
    const { run } = breakingOff(broken, fault);
    await run(() => deliverUntilDone(() => deliverChange(undefined, eventId)));
    const npns = npnsOf(takeMessages());
    expect([...new Set(npns)].sort()).toEqual(all);
    // It goes on where it was, unless only the end of its last call was lost.
    const isStartedAgain = broken === whole.calls();
    expect(npns.length).toBeLessThanOrEqual(all.length + (isStartedAgain ? all.length : pageSize + 1));
  }
});

test('a walk that needs more time than a delivery has is continued by the next one', async () => {
  await addLargeProducers();
  worker.send = async (...sent) => {
    await enqueue(...sent);
    worker.clock += 31_000;
  };
  const eventId = randomUUID();
  expect(await deliverUntilDone(() => deliverChange(undefined, eventId))).toBe(3);
  expect(npnsOf(takeMessages()).sort()).toEqual([agentNpn, ...producers].sort());
});

test('concurrent deliveries of one event leave out nobody', async () => {
  await addLargeProducers();
  const eventId = randomUUID();
  const outcomes = await Promise.all([1, 2, 3].map(() => deliverChange(undefined, eventId)));
  expect(outcomes).toContain('done');
  expect([...new Set(npnsOf(takeMessages()))].sort()).toEqual([agentNpn, ...producers].sort());
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

test('a config that changes during a walk is what the reports say, once', async () => {
  await putLicense(agentNpn);
  await deliverChange();
  const [firstJob = {}] = takeMessages();
  await configure([{ stateCode: 'TX', linesOfAuthority: ['16'], appointment: 'not required' }]);
  await deliverChange();
  // The job of the first walk is late: it is done after that of the second one, when the change is reported.
  await advance(61);
  await work(firstJob);
  await advance(61);
  const [event, ...others] = await events();
  expect(others).toEqual([]);
  expect(JSON.stringify(event?.payload)).toContain('Missing Line of Authority');
});

test('the calls of a walk grow as the number of NPNs', async () => {
  const callsFor = async (npns: readonly string[]): Promise<number> => {
    await addProducers(npns);
    const { run, calls } = breakingOff(0, 'none');
    await run(() => deliverChange());
    const jobs = takeMessages();
    await run(async () => {
      for (const job of jobs) await work(job);
    });
    takeMessages();
    return calls();
  };
  const few = await callsFor(npnsUpTo(49));
  const more = await callsFor(npnsUpTo(149));
  // 50 and 150 NPNs with the one of the set-up, in one job and in two; beside them, each walk has a few calls of its own.
  expect(few).toBeLessThanOrEqual(50 * 4 + 20);
  expect(more).toBeLessThanOrEqual(3 * few);
});
