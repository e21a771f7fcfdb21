import { type Registry, RegistryUnavailable } from '../../shared/domain/registry/registry.ts';
import type { SyncJob } from '../../shared/domain/registry/sync-job.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
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
  statusOf,
  storedOf,
} from '../support/registry-sync-tests.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('while the registry is unavailable', () => {
  const down: Registry = {
    subscribe: () => Promise.reject(new RegistryUnavailable('down')),
    fetch: () => Promise.reject(new RegistryUnavailable('down')),
  };

  it('a synchronization is retried', async () => {
    const job = await newJob();
    const { work, lines } = setUp(down);
    expect(await work(job)).toBe('retry');
    expect(await statusOf(job)).toMatchObject({ status: 'in progress' });
    expect(lines).toMatchObject([{ event: 'registry_unavailable', last: false }]);
  });

  it('the last delivery fails the synchronization and is dead-lettered; redriven, it succeeds', async () => {
    const job = await newJob();
    expect(await setUp(down).work(job, true)).toBe('retry');
    expect(await statusOf(job)).toMatchObject({
      status: 'failed',
      message: 'The registry could not be reached.',
    });

    expect(await setUp(registryOf(entity([license(0)]))).work(job)).toBe('done');
    expect(await statusOf(job)).toMatchObject({ status: 'success', message: null });
  });
});

it('a last delivery that fails for another reason fails the synchronization', async () => {
  const job = await newJob();
  const broken = { ...registryOf(undefined), fetch: () => Promise.reject(new Error('a defect')) };
  await expect(setUp(broken).work(job, true)).rejects.toThrow('a defect');
  expect(await statusOf(job)).toMatchObject({ status: 'failed' });
});

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
  const calls = ['begin', 'read', ...count(3).map((index) => `transaction ${index + 1}`)];

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
    ['before', 'after'].flatMap((moment) => calls.map((name, index) => [name, moment, index] as const)),
  )('%s fails %s it takes effect', async (_, moment, at) => {
    const job = await prepared();
    let call = -1;
    dynamo.middlewareStack.add(
      (next) => async (args) => {
        call += 1;
        if (call === at && moment === 'before') throw new Error('broke off');
        const answer = await next(args);
        if (call === at) throw new Error('broke off');
        return answer;
      },
      { step: 'initialize', name: 'breaking' },
    );
    try {
      await expect(setUp(after, later).work(job)).rejects.toThrow('broke off');
    } finally {
      dynamo.middlewareStack.remove('breaking');
    }
    expect(await setUp(after, later).work(job)).toBe('done');
    expect(withoutFirstSeen(await storedOf(job))).toEqual(withoutFirstSeen(expected));
    // One event for each of the two jobs.
    expect(await eventsOf(job)).toHaveLength(2);
  });
});
