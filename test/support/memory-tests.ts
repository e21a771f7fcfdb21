// Shared by the tests of what was true on a day: a carrier with one producer, whose records change.

import type { RegistryReport } from '../../shared/domain/registry/registry.ts';
import type { License } from '../../shared/domain/registry-records/license.ts';
import { registryKeys, subscriptionIdOf } from '../../shared/domain/registry-records/stored.ts';
import { createSubscriberRecords } from '../../shared/domain/registry-records/subscriber-records.ts';
import type { RecordChange } from '../../shared/domain/registry-records/versioned-kinds.ts';
import { licenseKind } from '../../shared/domain/registry-records/versioned-kinds.ts';
import { historyOf } from '../../shared/domain/registry-records/versions.ts';
import { ask, clock, id, importLines, newOwner, routes, tables } from './agents-tests.ts';
import { agent } from './import-lines.ts';
import { dynamo } from './tables.ts';
import { sampleLicense } from './versioned-records.ts';

export const npn = '8123456';
export const productId = id(9);
export const config = {
  type: 'compliance-config',
  productId,
  productName: 'GL',
  states: [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required' }],
};
export const today = new Date('2026-07-01T12:00:00.000Z');

beforeEach(() => {
  clock.time = today;
});

/** A carrier with one producer and a product. */
export async function carrierOf(...lines: object[]): Promise<string> {
  const owner = await newOwner();
  await importLines(owner, [agent({ _id: id(1) }), config, ...lines]);
  return owner;
}

export const params = { agentId: id(1) };

export const listed = async (owner: string, query: Record<string, string> = {}) => {
  const { status, data } = await ask(owner, routes.listAgentLicenses, params, query);
  expect(status).toBe(200);
  return (data as License[]).map(({ licenseNumber, nextRenewalDate }) => [licenseNumber, nextRenewalDate]);
};

export const statusOf = async (owner: string, asOf?: string) => {
  const query = { stateCode: 'TX', productId, ...(asOf === undefined ? {} : { asOf }) };
  const { data } = await ask(owner, routes.listAgentLicenseComplianceStatuses, params, query);
  const [{ licenseStatus, basis } = { licenseStatus: undefined, basis: undefined }] = data as {
    licenseStatus: { statusName: string };
    basis: string;
  }[];
  return [licenseStatus?.statusName, basis];
};

export const subscriber = (owner: string) => ({
  _id: subscriptionIdOf(owner, npn),
  dataOwnerId: owner,
  dataOwnerModel: 'upstreamEntity' as const,
  npn,
});

export const records = () => createSubscriberRecords(dynamo, tables.registryRecords);
export const stored = (owner: string) => records().read(subscriber(owner));

/** What the registry reports of a Texas license. */
export const reported = (...licenses: Partial<License>[]): RegistryReport => ({
  licenses: licenses.map((fields) => {
    const { registryDataSubscriptionId: _id, npn: _npn, updatedAt: _at, ...one } = sampleLicense(fields);
    return one;
  }),
  appointments: undefined,
  actions: [],
});

/** Brings the owner's records up to date with a report, at a time. */
export async function synchronize(
  owner: string,
  at: string,
  report: RegistryReport,
  by: RecordChange = 'synchronization',
): Promise<void> {
  const application = { at: new Date(at), by, last: () => [] };
  await records().apply(subscriber(owner), await stored(owner), report, application);
}

export const key = registryKeys.license('', sampleLicense()).sk;

export const versions = async (owner: string) => {
  const item = (await stored(owner)).get(key);
  return historyOf(licenseKind, item ?? {}).map(({ changedBy, validFrom, recordedAt, isDeleted, record }) => [
    changedBy,
    validFrom,
    recordedAt.slice(0, 10),
    isDeleted ? 'deleted' : record.nextRenewalDate,
  ]);
};
