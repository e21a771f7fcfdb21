import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { createSynchronizationStore } from '../../functions/registry-sync/store.ts';
import type { License } from '../../shared/domain/registry-records/license.ts';
import { licenseItem, subscriptionIdOf } from '../../shared/domain/registry-records/stored.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { VersionConflict } from '../../shared/platform/data/optimistic-lock.ts';
import { itemBytes } from '../capacity/item-bytes.ts';
import { clock, importLines, now, tables } from '../support/agents-tests.ts';
import { license } from '../support/import-lines.ts';
import {
  carrierOf,
  npn,
  records,
  reported,
  statusOf,
  stored,
  subscriber,
  synchronize,
  today,
  versions,
} from '../support/memory-tests.ts';
import { queueJob } from '../support/registry-records.ts';
import { dynamo } from '../support/tables.ts';
import { sampleLicense } from '../support/versioned-records.ts';

describe('a record of before versions were kept', () => {
  /** Writes a license as an earlier version of the service did. */
  const writeOlder = (owner: string, fields: Partial<License>) => {
    const record = sampleLicense({ npn, updatedAt: '2026-02-10T09:00:00.000Z', ...fields });
    const Item = toItem({ ...licenseItem(owner, record), createdAt: '2024-01-01T00:00:00.000Z' });
    return dynamo.send(new PutItemCommand({ TableName: tables.registryRecords, Item }));
  };

  it('is history since its last change, and says by its dates what was before', async () => {
    const owner = await carrierOf();
    await writeOlder(owner, {});
    expect(await statusOf(owner, '2026-02-09')).toEqual(['Licensed', 'registry dates']);
    expect(await statusOf(owner, '2026-02-10')).toEqual(['Licensed', 'history']);
    expect(await statusOf(owner, '2026-04-01')).toEqual(['Expired License', 'history']);
  });

  it('is kept as a version when it is first overwritten, by a synchronization or an import', async () => {
    const later = { status: 'inactive', nextRenewalDate: '2027-03-31' };
    for (const change of [
      (owner: string) => synchronize(owner, '2026-06-01T09:00:00Z', reported({ ...later })),
      (owner: string) =>
        importLines(owner, [license({ ...sampleLicense(later), npn, updatedAt: undefined })]),
    ]) {
      const owner = await carrierOf();
      await writeOlder(owner, { nextRenewalDate: '2027-03-31' });
      await change(owner);
      expect(await statusOf(owner)).toEqual(['Missing License', 'current']);
      expect(await statusOf(owner, '2026-03-01')).toEqual(['Licensed', 'history']);
      expect(await statusOf(owner, '2026-02-01')).toEqual(['Licensed', 'registry dates']);
      expect((await versions(owner)).map(([by]) => by)).toEqual([null, expect.any(String)]);
    }
  });

  it('is not written by a synchronization that finds nothing changed', async () => {
    const owner = await carrierOf();
    await writeOlder(owner, { registryDataSubscriptionId: subscriptionIdOf(owner, npn) });
    const before = await stored(owner);
    await synchronize(owner, '2026-06-01T09:00:00Z', reported({}));
    expect(await stored(owner)).toEqual(before);
  });
});

describe('storage', () => {
  const bytes = async (owner: string) =>
    Array.from(await stored(owner)).reduce((sum, [, { earlierVersions, ...item }]) => {
      const earlier = earlierVersions instanceof Uint8Array ? earlierVersions.length : 0;
      return sum + earlier + itemBytes(toItem(item));
    }, 0);

  it('grows with changes, not with synchronizations and imports of the same', async () => {
    const owner = await carrierOf();
    const line = license({ ...sampleLicense(), npn, updatedAt: undefined });
    await synchronize(owner, '2026-01-01T09:00:00Z', reported({}));
    const first = await stored(owner);
    for (let day = 1; day <= 30; day += 1) {
      const at = `2026-01-${String(day).padStart(2, '0')}T10:00:00Z`;
      await synchronize(owner, at, reported({}), day % 2 === 0 ? 'reconciliation' : 'synchronization');
    }
    expect(await stored(owner)).toEqual(first);
    await importLines(owner, [line]);
    const imported = await bytes(owner);
    clock.time = new Date('2026-07-02T12:00:00.000Z');
    await importLines(owner, [line]);
    expect(await bytes(owner)).toBe(imported);
    expect(await versions(owner)).toHaveLength(1);
  });

  it('holds twenty versions in less than what two records take', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-01T09:00:00Z', reported({}));
    const first = await bytes(owner);
    for (let index = 1; index < 20; index += 1) {
      const nextRenewalDate = `20${26 + index}-03-31`;
      const at = `2026-01-${String(index + 1).padStart(2, '0')}T09:00:00Z`;
      await synchronize(owner, at, reported({ nextRenewalDate, expirationDate: nextRenewalDate }));
    }
    expect(await versions(owner)).toHaveLength(20);
    expect((await bytes(owner)) / first).toBeLessThan(2);
  });
});

describe('two writers of one record', () => {
  it('lose no version: the one that read an earlier one is refused', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-05T09:00:00Z', reported({}));
    const read = await stored(owner);
    await importLines(owner, [
      license({ ...sampleLicense(), npn, status: 'inactive', updatedAt: undefined }),
    ]);
    const application = { at: today, by: 'synchronization' as const, last: () => [] };
    const change = reported({ nextRenewalDate: '2028-03-31' });
    await expect(records().apply(subscriber(owner), read, change, application)).rejects.toThrow(
      VersionConflict,
    );
    expect((await versions(owner)).map(([by]) => by)).toEqual(['synchronization', 'import']);
  });

  it('both have their versions: a synchronization that met an import begins again', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-05T09:00:00Z', reported({}));
    const job = await queueJob(dynamo, tables.registryRecords, { organizationId: owner, npn, jobId: 'job' });
    const store = createSynchronizationStore(dynamo, tables.registryRecords, () => [], now);
    await store.begin(job);
    let hasMet = false;
    dynamo.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'TransactWriteItemsCommand' && !hasMet) {
            hasMet = true;
            const line = { ...sampleLicense(), npn, status: 'inactive', updatedAt: undefined };
            await importLines(owner, [license(line)]);
          }
          return next(args);
        },
      { step: 'initialize', name: 'meetsImport' },
    );
    try {
      const { licenses = [] } = reported({ nextRenewalDate: '2028-03-31' });
      const entity = { kind: 'firm' as const, name: 'A firm', residentStateCode: null, appointments: [] };
      expect(
        await store.complete(job, { dataOwnerModel: 'downstreamEntity' }, { ...entity, licenses }, []),
      ).toBe('success');
    } finally {
      dynamo.middlewareStack.remove('meetsImport');
    }
    expect((await versions(owner)).map(([by]) => by)).toEqual([
      'synchronization',
      'import',
      'synchronization',
    ]);
  });
});
