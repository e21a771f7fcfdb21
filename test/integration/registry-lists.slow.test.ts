import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { reconciliationJobs } from '../../functions/registry-reconciliation/queue.ts';
import { reconcile, reconcileAll } from '../../functions/registry-reconciliation/reconcile.ts';
import { type Fauxqs, startFauxqs } from '../../infra/local/engines/queues-and-buckets.ts';
import { createS3Changes } from '../../shared/domain/registry/change-files.ts';
import { RegistryUnavailable } from '../../shared/domain/registry/registry.ts';
import { createRecordedFacts } from '../../shared/domain/registry-records/store.ts';
import { type HolderItems, readHolders, verifyingBy } from '../../shared/domain/sale-checks/sources.ts';
import { registryRecordsTable } from '../../shared/domain/table-designs.ts';
import { collect } from '../../shared/platform/data/concurrently.ts';
import { tableOf } from '../../shared/platform/data/table.ts';
import { eventsIn } from '../support/events.ts';
import {
  action,
  at,
  carrier,
  deps,
  loggedAs,
  now,
  otherCarrier,
  polled,
  registered,
  setChanges,
  subscribe,
  tables,
} from '../support/registry-records-tests.ts';
import { dynamo } from '../support/tables.ts';

describe('registry change files', () => {
  // The registry's lists of changes, in a bucket.

  let engine: Fauxqs;
  const options = () => ({
    endpoint: `http://127.0.0.1:${engine.port}`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

  const put = (Key: string, Body: string) =>
    new S3Client(options()).send(new PutObjectCommand({ Bucket: 'changes', Key, Body }));

  beforeAll(async () => {
    engine = await startFauxqs();
    await new S3Client(options()).send(new CreateBucketCommand({ Bucket: 'changes' }));
  });

  afterAll(async () => {
    await engine.stop();
  });

  test('files of a bucket are read once, and again where they were replaced', async () => {
    const changes = createS3Changes('changes', options());
    await put('2026-05-29.txt', '7\n');
    await put('2026-06-01.txt', '1\n2\n');
    const first = await changes(undefined, new Date('2026-06-01T21:00:00-04:00'));
    expect(first).toMatchObject({ npns: ['1', '2'], missing: [] });
    await put('2026-06-02.txt', '3\n');
    await put('2026-06-01.txt', '1\n4\n');
    const second = await changes(first.cursor, new Date('2026-06-02T21:00:00-04:00'));
    expect(second).toMatchObject({ npns: ['1', '4', '3'], missing: [] });
    const third = await changes(second.cursor, new Date('2026-06-02T22:00:00-04:00'));
    expect(third.npns).toEqual([]);
  });

  test('a bucket that cannot be read says so, and not that nothing changed', async () => {
    const changes = createS3Changes('none', { ...options(), maxAttempts: 1 });
    await expect(changes(undefined, new Date())).rejects.toThrow(RegistryUnavailable);
  });
});

describe('registry lists', () => {
  // Whom a night's reconciliation asks about where the registry keeps lists of changes, and what these confirm.

  const npns = ['1', '2', '3'];
  const answer = { licenses: [], appointments: [] };

  /** A night at a time, at most so many calls. */
  const night = (time: Date = now(), mostCalls = 1_000) => {
    polled.length = 0;
    return reconcileAll(
      time,
      deps(100_000, mostCalls, () => time),
    );
  };

  const daysAfter = (time: Date, days: number) => new Date(time.getTime() + days * 86_400_000);

  /** When what is known of an NPN is said to be verified. */
  async function verifiedAt(npn: string, owner = carrier): Promise<string | null> {
    const facts = createRecordedFacts(tableOf(registryRecordsTable, dynamo, tables.registryRecords));
    const holders: readonly HolderItems[] = await readHolders(facts, owner, [{ npn, stateCode: 'TX' }]);
    const check = { seller: { npn }, agency: null, stateCode: 'TX' };
    return verifyingBy(holders)(check as unknown as Parameters<ReturnType<typeof verifyingBy>>[0]).verifiedAt
      .seller;
  }

  /** A first night, in which everybody is polled; returns its time. */
  async function begun(): Promise<Date> {
    for (const npn of npns) {
      registered.set(npn, answer);
      await subscribe(npn);
    }
    setChanges(() => ({ npns: [], cursor: '0' }));
    const time = daysAfter(now(), 1);
    expect(await night(time)).toMatchObject({ npns: 3, failed: 0 });
    return time;
  }

  test('an NPN that nobody polled yet is polled, then those that a list names, and a share of the others', async () => {
    const first = await begun();
    setChanges(() => ({ npns: ['2', '2', '99'], cursor: '1', until: first.toISOString() }));
    polled.length = 0;
    const time = daysAfter(first, 1);
    const ofTime = deps(100_000, 1_000, () => time);
    const jobs = (await collect(reconciliationJobs(time, ofTime))).flat();
    // In each shard of NPNs one of 28 is polled anyway: here those that are the only ones. Those of a job are polled at the same time.
    expect(jobs.flatMap(({ npns }) => npns)[0]).toBe('2');
    for (const job of jobs) await reconcile(job, ofTime);
    expect(polled.filter((npn) => npn === '2')).toHaveLength(1);
    expect(polled).not.toContain('99');
    expect(loggedAs('registry_changes').at(-1)).toMatchObject({ named: 2, subscribed: 1 });
    expect(loggedAs('registry_changes_missing')).toEqual([]);
  });

  test('without lists of changes every NPN is polled every night', async () => {
    const first = await begun();
    setChanges(() => undefined);
    await night(daysAfter(first, 1), 1);
    expect(new Set(polled)).toEqual(new Set(npns));
  });

  test('a poll that fails leaves an NPN named, and its job says so', async () => {
    const first = await begun();
    setChanges(() => ({ npns: ['1'], cursor: '1', until: first.toISOString() }));
    registered.delete('1');
    expect(await night(daysAfter(first, 1), 1)).toMatchObject({ failed: 1 });
    setChanges(() => ({ npns: [], cursor: '2', until: daysAfter(first, 1).toISOString() }));
    registered.set('1', answer);
    await night(daysAfter(first, 2), 1);
    expect(polled).toEqual(['1']);
  });

  test('lists without a gap confirm whom they do not name, in every organization', async () => {
    for (const owner of [carrier, otherCarrier]) await subscribe('1', owner);
    const first = await begun();
    const firstVerified = await verifiedAt('1');
    expect(firstVerified).not.toBeNull();
    const until = daysAfter(first, 7).toISOString();
    setChanges(() => ({ npns: ['2'], cursor: '1', until }));
    registered.delete('2');
    await night(daysAfter(first, 8), 1);
    expect([await verifiedAt('1'), await verifiedAt('1', otherCarrier)]).toEqual([until, until]);
    // It changed, and the registry has not said how.
    expect(await verifiedAt('2')).not.toBe(until);
    expect(await verifiedAt('99')).toBeNull();
    registered.set('2', answer);
    setChanges(() => ({ npns: [], cursor: '2', until }));
    await night(daysAfter(first, 9), 1);
    expect((await verifiedAt('2')) ?? '').toMatch(/^20/);
    setChanges(() => ({ npns: [], cursor: '3', until: daysAfter(first, 30).toISOString() }));
    await night(daysAfter(first, 31), 0);
    expect(await verifiedAt('2')).toBe(daysAfter(first, 30).toISOString());
  });

  test('a list confirms nobody who was verified before the first one was read, or before a gap', async () => {
    for (const npn of npns) {
      registered.set(npn, answer);
      await subscribe(npn);
    }
    const before = daysAfter(now(), 1);
    setChanges(() => undefined);
    await night(before);
    const verified = await verifiedAt('1');
    setChanges(() => ({ npns: [], cursor: '0', until: daysAfter(before, 1).toISOString() }));
    await night(daysAfter(before, 2), 0);
    expect(await verifiedAt('1')).toBe(verified);
    await night(daysAfter(before, 40));
    const again = await verifiedAt('1');
    const [gapUntil, until] = [daysAfter(now(), 400).toISOString(), daysAfter(now(), 401).toISOString()];
    setChanges(() => ({ npns: [], cursor: '1', until, gapUntil }));
    await night(daysAfter(before, 41), 0);
    expect(await verifiedAt('1')).toBe(again);
  });

  test('lists that cannot be read confirm nobody, and are said; the night polls whom it knows to be due', async () => {
    const first = await begun();
    setChanges(() => {
      throw new RegistryUnavailable('Not now.');
    });
    expect(await night(daysAfter(first, 1))).toMatchObject({ failed: 0 });
    expect(loggedAs('registry_changes_missing')).toMatchObject([{ error: expect.any(RegistryUnavailable) }]);
  });

  test('an action that an import states is reported by the next night, whoever is due', async () => {
    const first = await begun();
    registered.set('1', { ...answer, actions: [action()] });
    await deps().npns.requestPoll('1', now());
    await night(daysAfter(first, 1), 1);
    expect((await eventsIn(tables.outbox)).map(({ type }) => type)).toContain(
      'AGENT_REGULATORY_ACTION_ADDED',
    );
  });

  test('an NPN that is named while it is polled is polled once more', async () => {
    const first = await begun();
    setChanges(() => ({ npns: ['1'], cursor: '1' }));
    const time = daysAfter(first, 1);
    const [jobs = []] = [
      await collect(
        reconciliationJobs(
          at(3),
          deps(100_000, 1_000, () => time),
        ),
      ),
    ];
    await deps().npns.requestPoll('1', daysAfter(time, 1));
    for (const job of jobs.flat())
      await reconcile(
        job,
        deps(100_000, 1_000, () => time),
      );
    setChanges(() => ({ npns: [], cursor: '2' }));
    await night(daysAfter(time, 2), 1);
    expect(polled).toEqual(['1']);
  });
});
