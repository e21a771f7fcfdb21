import { DeleteItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { type Registry, RegistryUnavailable } from '#domain/registry/registry.ts';
import { createHoldersOfVisits } from '#domain/registry-records/questions.ts';
import { registryKeys } from '#domain/registry-records/stored.ts';
import { registryRecordsTable } from '#domain/tables.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { tableOf } from '#platform/data/table.ts';
import {
  action,
  appointment,
  count,
  entity,
  eventsOf,
  first,
  later,
  license,
  newJob,
  newTables,
  npn,
  registryOf,
  requeued,
  setUp,
  statusOf,
  storedOf,
  table,
} from '../support/registry-sync-tests.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';

describe('registry sync', () => {
  it('stores what the registry reports, and emits an event', async () => {
    const job = await newJob();
    const registry = registryOf(entity([license(0), license(1)], [appointment(1)]), [action('7', 'Fine')]);
    const { work, lines } = setUp(registry);

    const { calls, inSequence } = await databaseCalls(async () => {
      expect(await work(job)).toBe('done');
    });

    // The last one says who holds the NPN, for lookups.
    expect(calls).toEqual([
      'UpdateItemCommand',
      'QueryCommand',
      'TransactWriteItemsCommand',
      'UpdateItemCommand',
    ]);
    expect(inSequence).toBe(4);
    const { subscription, records } = await storedOf(job);
    expect(subscription).toMatchObject({
      entityInfo: { status: 'success', jobId: job.jobId, message: null },
      lastSynchronizationDate: first.toISOString(),
      pdbAlertsSubscriptionStatus: 'active',
    });
    expect(Object.values(records)).toHaveLength(4);
    for (const record of Object.values(records)) {
      expect(record).toMatchObject({
        npn,
        registryDataSubscriptionId: job.registryDataSubscriptionId,
        updatedAt: first.toISOString(),
      });
    }
    expect(await eventsOf(job)).toMatchObject([
      {
        type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
        upstreamEntityId: job.organizationId,
        occurredAt: first.toISOString(),
        payload: { registryDataSubscriptionId: job.registryDataSubscriptionId, npn },
      },
    ]);
    expect(lines).toMatchObject([{ event: 'registry_sync', outcome: 'success', jobId: job.jobId }]);
  });

  it.each([
    ['', undefined, 1],
    [' a simulated one, which reports to each organization what that put,', async () => undefined, 0],
  ])('who holds the NPN is found for a day, but by%s none', async (_, visit, found) => {
    const job = await newJob({ npn: `1${newObjectId(first).replaceAll(/\D/g, '').slice(-9)}` });
    const registry = registryOf(entity([license(0)]));
    await setUp(visit === undefined ? registry : { ...registry, visit }).work(job);
    const holders = createHoldersOfVisits(tableOf(registryRecordsTable, dynamo, table));
    const at = (hours: number) => holders([job.npn], new Date(first.getTime() + hours * 3_600_000));
    expect((await at(23.9)).size).toBe(found);
    expect((await at(24)).size).toBe(0);
  });

  it('holds what the registry reports now, and keeps regulatory actions', async () => {
    const job = await newJob();
    const before = registryOf(
      entity([license(0), license(1), license(2)], [appointment(1), appointment(2)]),
      [action('1', 'Fine'), action('2', 'Fine'), action('3', 'Fine')],
    );
    await setUp(before).work(job);
    const held = (await storedOf(job)).records;

    const again = await requeued(job);
    const after = registryOf(entity([license(0), license(1, 'inactive')], [appointment(2)]), [
      action('1', 'Fine'),
      action('2', 'Revocation'),
    ]);
    await setUp(after, later).work(again);
    const { records } = await storedOf(job);

    const of = (all: typeof records, index: number) =>
      Object.values(all).find(({ licenseNumber }) => licenseNumber === String(1_000 + index));
    const sent = { createdAt: first.toISOString(), updatedAt: later.toISOString() };
    expect(of(records, 0)).toEqual(of(held, 0));
    expect(of(records, 1)).toMatchObject({ status: 'inactive', updatedAt: later.toISOString() });
    // What is left out is shown still, and to be renewed no more.
    expect(of(records, 2)).toMatchObject({ ...of(held, 2), isInForce: false });
    const appointments = Object.values(records).filter(({ companyCode }) => companyCode !== undefined);
    expect(appointments.map(({ companyCode, isInForce }) => [companyCode, isInForce])).toEqual([
      ['1', false],
      ['2', true],
    ]);
    expect(records['ACTION#TX#1']).toEqual(held['ACTION#TX#1']);
    expect(records['ACTION#TX#2']).toEqual({ ...held['ACTION#TX#2'], ...sent, disposition: 'Revocation' });
    expect(records['ACTION#TX#3']).toEqual(held['ACTION#TX#3']);
  });

  it('an agency’s subscription is synchronized without an event', async () => {
    const job = await newJob();
    await dynamo.send(
      new UpdateItemCommand({
        TableName: table,
        Key: toItem(registryKeys.subscription(job.organizationId, job.registryDataSubscriptionId)),
        UpdateExpression: 'SET dataOwnerModel = :agency',
        ExpressionAttributeValues: toItem({ ':agency': 'downstreamEntity' }),
      }),
    );
    await setUp(registryOf(entity([license(0)]))).work(job);
    expect(await statusOf(job)).toMatchObject({ status: 'success' });
    expect(await eventsOf(job)).toEqual([]);
  });

  it('an NPN unknown to the registry fails at once', async () => {
    const job = await newJob();
    const registry = registryOf(undefined);
    expect(await setUp(registry).work(job)).toBe('done');
    expect(await statusOf(job)).toMatchObject({
      status: 'failed',
      message: 'The registry does not recognize this NPN.',
    });
    expect(await eventsOf(job)).toEqual([]);
  });

  describe('an outdated job', () => {
    it('does nothing if another was queued before it began', async () => {
      const old = await newJob();
      const current = await requeued(old);
      const { work, lines } = setUp(registryOf(entity([license(0)])));
      expect(await work(old)).toBe('done');
      expect(lines).toMatchObject([{ outcome: 'obsolete' }]);
      expect((await storedOf(old)).records).toEqual({});
      expect(await statusOf(old)).toMatchObject({ status: 'queued', jobId: current.jobId });
    });

    it('cannot overwrite what a newer one wrote while it waited for the registry', async () => {
      const old = await newJob();
      const slow: Registry = {
        ...registryOf(undefined),
        async fetch() {
          const newer = await requeued(old);
          await setUp(registryOf(entity([license(0)])), later).work(newer);
          return { ...entity([license(0, 'inactive'), license(1)]), actions: [] };
        },
      };
      const { work, lines } = setUp(slow);
      expect(await work(old)).toBe('done');
      expect(lines).toMatchObject([{ outcome: 'obsolete' }]);
      const { records } = await storedOf(old);
      expect(Object.values(records)).toMatchObject([{ status: 'active', updatedAt: later.toISOString() }]);
    });

    it('does nothing if it is already done', async () => {
      const job = await newJob();
      await setUp(registryOf(entity([license(0)]))).work(job);
      const done = await storedOf(job);
      await setUp(registryOf(entity([license(1)])), later).work(job);
      expect(await storedOf(job)).toEqual(done);
      expect(await eventsOf(job)).toHaveLength(1);
    });

    it('does nothing if its subscription is gone', async () => {
      const job = await newJob();
      await dynamo.send(
        new DeleteItemCommand({
          TableName: table,
          Key: toItem(registryKeys.subscription(job.organizationId, job.registryDataSubscriptionId)),
        }),
      );
      const { work, lines } = setUp(registryOf(entity([license(0)])));
      expect(await work(job)).toBe('done');
      expect(lines).toMatchObject([{ outcome: 'no_subscription' }]);
      expect(await statusOf(job)).toBeUndefined();
    });
  });

  it('concurrent deliveries of one job have the same result as one', async () => {
    const registry = registryOf(entity(count(10).map((index) => license(index))));
    const alone = await newJob();
    await setUp(registry).work(alone);
    const made = await storedOf(alone);
    await newTables();
    const job = await newJob(alone);
    const verdicts = await Promise.all(
      count(5).map(() =>
        setUp(registry)
          .work(job)
          .catch(() => 'retry'),
      ),
    );
    expect(verdicts).toContain('done');
    await setUp(registry).work(job);
    expect(await storedOf(job)).toEqual(made);
    expect(await eventsOf(job)).toHaveLength(1);
  });
});

describe('registry sync failures', () => {
  describe('while the registry is unavailable', () => {
    const down: Registry = {
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
});
