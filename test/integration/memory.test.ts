import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { toItem } from '../../shared/data/dynamo.ts';
import { VersionConflict } from '../../shared/data/optimistic-lock.ts';
import type { RegistryReport } from '../../shared/registry/registry.ts';
import { licenseItem, registryKeys, subscriptionIdOf } from '../../shared/registry-records/stored.ts';
import { createSubscriberRecords } from '../../shared/registry-records/subscriber-records.ts';
import { licenseKind } from '../../shared/registry-records/versioned-kinds.ts';
import { historyOf, type RecordChange } from '../../shared/registry-records/versions.ts';
import type { License } from '../../shared/resources/license.ts';
import { itemBytes } from '../capacity/item-bytes.ts';
import { ask, clock, id, importLines, newOwner, routes, tables } from '../support/agents-tests.ts';
import { agent, license } from '../support/import-lines.ts';
import { databaseCalls, dynamo } from '../support/tables.ts';
import { sampleLicense } from '../support/versioned-records.ts';

const npn = '8123456';
const productId = id(9);
const config = {
  type: 'compliance-config',
  productId,
  productName: 'GL',
  states: [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }],
};
const today = new Date('2026-07-01T12:00:00.000Z');

beforeEach(() => {
  clock.time = today;
});

/** A carrier with one producer and a product. */
async function carrierOf(...lines: object[]): Promise<string> {
  const owner = await newOwner();
  await importLines(owner, [agent({ _id: id(1) }), config, ...lines]);
  return owner;
}

const params = { agentId: id(1) };

const listed = async (owner: string, query: Record<string, string> = {}) => {
  const { status, data } = await ask(owner, routes.listAgentLicenses, params, query);
  expect(status).toBe(200);
  return (data as License[]).map(({ licenseNumber, nextRenewalDate }) => [licenseNumber, nextRenewalDate]);
};

const statusOf = async (owner: string, asOf?: string) => {
  const query = { stateCode: 'TX', productId, ...(asOf === undefined ? {} : { asOf }) };
  const { data } = await ask(owner, routes.listAgentLicenseComplianceStatuses, params, query);
  const [{ licenseStatus, basis } = { licenseStatus: undefined, basis: undefined }] = data as {
    licenseStatus: { statusName: string };
    basis: string;
  }[];
  return [licenseStatus?.statusName, basis];
};

const subscriber = (owner: string) => ({
  _id: subscriptionIdOf(owner, npn),
  dataOwnerId: owner,
  dataOwnerModel: 'upstreamEntity' as const,
  npn,
});

const records = () => createSubscriberRecords(dynamo, tables.registryRecords);
const stored = (owner: string) => records().read(subscriber(owner));

/** What the registry reports of a Texas license. */
const reported = (...licenses: Partial<License>[]): RegistryReport => ({
  licenses: licenses.map((fields) => {
    const { registryDataSubscriptionId: _id, npn: _npn, updatedAt: _at, ...one } = sampleLicense(fields);
    return one;
  }),
  appointments: undefined,
  actions: [],
});

/** Brings the owner's records up to date with a report, at a time. */
async function synchronize(
  owner: string,
  at: string,
  report: RegistryReport,
  by: RecordChange = 'synchronization',
): Promise<void> {
  const application = { at: new Date(at), by, last: () => [] };
  await records().apply(subscriber(owner), await stored(owner), report, application);
}

const key = registryKeys.license('', sampleLicense()).sk;

const versions = async (owner: string) => {
  const item = (await stored(owner)).get(key);
  return historyOf(licenseKind, item ?? {}).map(({ changedBy, validFrom, recordedAt, isDeleted, record }) => [
    changedBy,
    validFrom,
    recordedAt.slice(0, 10),
    isDeleted ? 'deleted' : record.nextRenewalDate,
  ]);
};

describe('what was true on a day', () => {
  it('is that a license had lapsed, though it was renewed since', async () => {
    const owner = await carrierOf(
      license({ issueDate: '2019-04-01', nextRenewalDate: '2026-03-31' }),
      license({ issueDate: '2019-04-01', nextRenewalDate: '2028-03-31', validFrom: '2026-05-15' }),
    );
    expect(await listed(owner)).toEqual([['100', '2028-03-31']]);
    expect(await statusOf(owner)).toEqual(['Licensed', 'current']);
    expect(await listed(owner, { asOf: '2026-04-20' })).toEqual([]);
    expect(await statusOf(owner, '2026-04-20')).toEqual(['Expired License', 'registry dates']);
    expect(await listed(owner, { asOf: '2026-03-31' })).toEqual([['100', '2026-03-31']]);
    expect(await statusOf(owner, '2026-05-14')).toEqual(['Expired License', 'registry dates']);
    expect(await statusOf(owner, '2026-05-15')).toEqual(['Licensed', 'history']);
    expect(await statusOf(owner, '2026-07-01')).toEqual(['Licensed', 'history']);
    expect(await statusOf(owner, '2019-03-31')).toEqual(['Missing License', 'registry dates']);
  });

  it('counts a renewal that was learned late', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-05T09:00:00Z', reported({}));
    expect(await statusOf(owner, '2026-04-10')).toEqual(['Expired License', 'history']);
    await synchronize(owner, '2026-04-20T09:00:00Z', reported({ nextRenewalDate: '2028-03-31' }));
    expect(await statusOf(owner, '2026-04-10')).toEqual(['Licensed', 'history']);
    expect(await listed(owner, { asOf: '2026-04-10' })).toEqual([['1456789', '2028-03-31']]);
    // While both cover a day, the version that was recorded by then is shown.
    expect(await listed(owner, { asOf: '2026-03-10' })).toEqual([['1456789', '2026-03-31']]);
    expect(await statusOf(owner, '2026-01-04')).toEqual(['Licensed', 'registry dates']);
  });

  it('does not count a renewal through a status that had ended the license by then', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-05T09:00:00Z', reported({}));
    await synchronize(owner, '2026-04-05T09:00:00Z', reported({ status: 'lapsed' }), 'reconciliation');
    await synchronize(owner, '2026-06-01T09:00:00Z', reported({ nextRenewalDate: '2028-03-31' }));
    expect(await statusOf(owner, '2026-03-31')).toEqual(['Licensed', 'history']);
    expect(await statusOf(owner, '2026-04-05')).toEqual(['Expired License', 'history']);
    expect(await statusOf(owner, '2026-05-31')).toEqual(['Expired License', 'history']);
    expect(await statusOf(owner, '2026-06-01')).toEqual(['Licensed', 'history']);
    expect(await versions(owner)).toEqual([
      ['synchronization', '2019-04-01', '2026-01-05', '2026-03-31'],
      ['reconciliation', '2026-04-05', '2026-04-05', '2026-03-31'],
      ['synchronization', '2019-04-01', '2026-06-01', '2028-03-31'],
    ]);
  });

  it('ends in New York, when a version was recorded that day', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-05T09:00:00Z', reported({ nextRenewalDate: '2027-03-31' }));
    // Eleven in the evening of the ninth.
    await synchronize(owner, '2026-02-10T04:00:00Z', reported({ status: 'inactive' }));
    expect(await statusOf(owner, '2026-02-08')).toEqual(['Licensed', 'history']);
    expect(await statusOf(owner, '2026-02-09')).toEqual(['Missing License', 'history']);
  });

  it('is known of a license that the registry no longer reports, or reports again', async () => {
    const owner = await carrierOf();
    const license = { nextRenewalDate: '2027-03-31' };
    await synchronize(owner, '2026-01-05T09:00:00Z', reported(license));
    await synchronize(owner, '2026-03-05T09:00:00Z', reported());
    expect(await listed(owner)).toEqual([]);
    expect(await listed(owner, { asOf: '2026-03-04' })).toEqual([['1456789', '2027-03-31']]);
    expect(await listed(owner, { asOf: '2026-03-05' })).toEqual([]);
    await synchronize(owner, '2026-05-05T09:00:00Z', reported(license), 'reconciliation');
    expect(await listed(owner, { asOf: '2026-04-05' })).toEqual([]);
    expect(await listed(owner, { asOf: '2026-05-05' })).toEqual([['1456789', '2027-03-31']]);
    expect((await versions(owner)).map(([by, , , what]) => [by, what])).toEqual([
      ['synchronization', '2027-03-31'],
      ['synchronization', 'deleted'],
      ['reconciliation', '2027-03-31'],
    ]);
  });

  it('filters by the status of that day', async () => {
    const owner = await carrierOf();
    await synchronize(owner, '2026-01-05T09:00:00Z', reported({ status: 'Active', nextRenewalDate: null }));
    await synchronize(owner, '2026-02-05T09:00:00Z', reported({ status: 'active', nextRenewalDate: null }));
    expect(await listed(owner, { asOf: '2026-01-20', status: 'active' })).toEqual([]);
    expect(await listed(owner, { asOf: '2026-01-20', status: 'Active' })).toHaveLength(1);
    expect(await listed(owner, { asOf: '2026-02-20', status: 'active', stateCode: 'TX' })).toHaveLength(1);
    expect(await listed(owner, { asOf: '2026-02-20', stateCode: 'OK' })).toEqual([]);
  });
});

describe('an import', () => {
  const identity = { licenseNumber: '1456789', licenseClassCode: '1' };
  const lapsed = license({ ...identity, nextRenewalDate: '2026-03-31' });
  const renewed = license({ ...identity, nextRenewalDate: '2028-03-31', validFrom: '2026-05-15' });

  it('of the same file twice changes nothing, though it has several versions of a record', async () => {
    const owner = await carrierOf(lapsed, renewed);
    const before = await stored(owner);
    clock.time = new Date('2026-07-02T12:00:00.000Z');
    await importLines(owner, [lapsed, renewed]);
    expect(await stored(owner)).toEqual(before);
    expect(await versions(owner)).toEqual([
      ['import', null, '2026-07-01', '2026-03-31'],
      ['import', '2026-05-15', '2026-07-01', '2028-03-31'],
    ]);
  });

  it('takes the day of a time in New York, and refuses what is no date', async () => {
    const owner = await carrierOf({ ...renewed, validFrom: '2026-05-15T03:00:00Z' });
    expect((await versions(owner)).map(([, validFrom]) => validFrom)).toEqual(['2026-05-14']);
    const { rejected } = await importLines(owner, [{ ...renewed, validFrom: 'May' }]);
    expect(rejected).toMatchObject([{ line: 1, issues: [{ path: 'validFrom' }] }]);
  });

  it('that corrects the first day of a version counts from there', async () => {
    const owner = await carrierOf(renewed);
    expect(await statusOf(owner, '2026-05-10')).toEqual(['Missing License', 'registry dates']);
    await importLines(owner, [{ ...renewed, validFrom: '2026-05-01' }]);
    expect(await statusOf(owner, '2026-05-10')).toEqual(['Licensed', 'history']);
  });

  it('that deletes a record ends it that day, and keeps it for ten years', async () => {
    const owner = await carrierOf(lapsed);
    await importLines(owner, [{ ...renewed, isDeleted: true }]);
    expect(await listed(owner)).toEqual([]);
    expect(await listed(owner, { asOf: '2026-03-01' })).toEqual([['1456789', '2026-03-31']]);
    expect(await statusOf(owner, '2026-07-01')).toEqual(['Missing License', 'history']);
    const [item] = [...(await stored(owner)).values()].filter(({ isDeleted }) => isDeleted === true);
    const expiresAt = new Date(Number(item?.['expiresAt']) * 1_000);
    expect(expiresAt > new Date('2036-07-01')).toBe(true);
  });
});

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
});

describe('asOf', () => {
  it.each(['2026-07-02', '2999-01-01'])('is refused for a day in the future: %s', async (asOf) => {
    const owner = await carrierOf();
    const query = { stateCode: 'TX', productId, asOf };
    for (const answer of [
      await ask(owner, routes.listAgentLicenses, params, { asOf }),
      await ask(owner, routes.listAgentLicenseComplianceStatuses, params, query),
    ]) {
      const issues = [{ path: 'asOf', message: 'must not be in the future' }];
      expect(answer).toMatchObject({ status: 400, details: { issues } });
    }
  });

  it.each(['', '2026-02-30', '2026-1-1', '20260101', '2026-01-01T00:00:00Z', 'today'])(
    'is refused where it is no date: "%s"',
    async (asOf) => {
      const owner = await carrierOf();
      expect(await ask(owner, routes.listAgentLicenses, params, { asOf })).toMatchObject({
        status: 400,
        details: { issues: [{ path: 'asOf' }] },
      });
    },
  );

  it('takes today in New York while it is tomorrow in UTC', async () => {
    const owner = await carrierOf(license());
    clock.time = new Date('2026-07-02T03:59:00.000Z');
    expect(await listed(owner, { asOf: '2026-07-01' })).toEqual([['100', null]]);
    expect(await ask(owner, routes.listAgentLicenses, params, { asOf: '2026-07-02' })).toMatchObject({
      status: 400,
    });
  });

  it('is unknown to v1, whose answers say nothing of a basis', async () => {
    const owner = await carrierOf(license());
    const query = { stateCode: 'TX', productId };
    for (const [route, given] of [
      [routes.listAgentLicensesV1, {}],
      [routes.listAgentLicenseComplianceStatusesV1, query],
    ] as const) {
      expect(await ask(owner, route, params, { ...given, asOf: '2026-06-01' })).toMatchObject({
        status: 400,
      });
    }
    const { data } = await ask(owner, routes.listAgentLicenseComplianceStatusesV1, params, query);
    expect(data).toEqual([
      {
        npn,
        productId,
        productName: 'GL',
        stateCode: 'TX',
        complianceStatus: 'COMPLIANT',
        licenseStatus: { statusName: 'Licensed' },
        appointmentStatus: { statusName: 'Not Required' },
      },
    ]);
  });

  it('costs the calls of the present', async () => {
    const owner = await carrierOf(license());
    const query = { stateCode: 'TX', productId };
    for (const [route, given] of [
      [routes.listAgentLicenses, {}],
      [routes.listAgentLicenseComplianceStatuses, query],
    ] as const) {
      const present = await databaseCalls(() => ask(owner, route, params, given));
      const past = await databaseCalls(() => ask(owner, route, params, { ...given, asOf: '2026-06-01' }));
      expect(past).toEqual(present);
    }
  });
});
