import { setTimeout as pause } from 'node:timers/promises';
import type { SyncJob } from '#domain/registry-records/resources.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { inShort } from '../support/extent.ts';
import { withFaults } from '../support/faults.ts';
import { carrier, otherCarrier, subscribe } from '../support/registry-records-tests.ts';
import {
  action,
  appointment,
  count,
  entity,
  eventsOf,
  later,
  license,
  newJob,
  newTables,
  registryOf,
  requeued,
  setUp,
  storedOf,
} from '../support/registry-sync-tests.ts';
import { listOf, npn, poll, shownOf, synchronize } from '../support/registry-visits.ts';
import { randomOf } from '../support/seeded.ts';
import { databaseCalls } from '../support/tables.ts';

test.each(count(inShort(2, 20)))(
  'visits at random are recorded in the order in which they asked: %i',
  async (seed) => {
    const random = randomOf(`visits ${seed}`);
    for (const owner of [carrier, otherCarrier]) await subscribe(npn, owner);
    let version = 0;
    const answer = async () => {
      const asked = listOf('active', 50);
      const statusReason = `version ${version}`;
      await pause(random.below(60));
      return { ...asked, licenses: asked.licenses.map((one) => ({ ...one, statusReason })) };
    };
    const visits = count(10).map(async () => {
      await pause(random.below(200));
      version += 1;
      await (random.chance(50) ? poll(answer) : synchronize(answer));
    });
    await Promise.all(visits);
    // Those that were superseded too often are made again.
    await poll(answer);
    for (const owner of [carrier, otherCarrier]) {
      const licenses = [...(await shownOf(owner))].filter(([sk]) => sk.startsWith('LICENSE#'));
      const reasons = new Set(licenses.map(([, { statusReason }]) => statusReason));
      expect([licenses.length, ...reasons]).toEqual([50, `version ${version}`]);
    }
  },
);

describe('a delivery that fails at any database call is completed by the next one', () => {
  const before = registryOf(
    entity(
      count(50).map((index) => license(index)),
      count(10).map(appointment),
    ),
    [action('1', 'Fine')],
  );
  // Facts, changes of what is held, and the ends of the lists: a first transaction, one between, and the last.
  const after = registryOf(
    entity(
      count(66).map((index) => license(index + 25, index < 25 ? 'inactive' : 'active')),
      [appointment(11)],
    ),
    [action('2', 'Fine')],
  );
  const calls = ['begin', 'read', ...count(3).map((index) => `transaction ${index + 1}`), 'holder'];

  const organizationId = newObjectId(new Date());
  const prepared = async (): Promise<SyncJob> => {
    await newTables();
    const job = await newJob({ organizationId, jobId: 'first' });
    await setUp(before).work(job);
    return requeued(job, 'second');
  };

  /** Two deliveries are two polls, and those two have not the same time. */
  const withoutFirstSeen = ({ subscription, records }: typeof expected) => ({
    subscription,
    records: Object.values(records).map(({ createdAt: _at, ...record }) => record),
  });

  /** What a synchronization that nothing disturbs leaves in the tables. */
  let expected: Awaited<ReturnType<typeof storedOf>>;
  beforeAll(async () => {
    const job = await prepared();
    const made = await databaseCalls(() => setUp(after, later).work(job));
    expect(made.calls).toHaveLength(calls.length);
    expected = await storedOf(job);
  });

  it.each(
    (['before', 'after'] as const).flatMap((moment) =>
      calls.map((name, index) => [name, moment, index] as const),
    ),
  )('%s fails %s it takes effect', async (_, moment, at) => {
    const job = await prepared();
    let call = -1;
    const faultOf = () => {
      call += 1;
      return call === at ? moment : 'none';
    };
    await expect(withFaults(faultOf, () => setUp(after, later).work(job))).rejects.toThrow('broke off');
    expect(await setUp(after, later).work(job)).toBe('done');
    expect(withoutFirstSeen(await storedOf(job))).toEqual(withoutFirstSeen(expected));
    // One event for each of the two jobs.
    expect(await eventsOf(job)).toHaveLength(2);
  });
});
