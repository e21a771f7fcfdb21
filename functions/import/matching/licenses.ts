import { npnOfPartition, registryPartitions } from '../../../shared/domain/registry-records/stored.ts';
import { collect } from '../../../shared/platform/data/collect.ts';
import { readEach } from '../../../shared/platform/data/concurrently.ts';
import { itemKey } from '../../../shared/platform/data/stored.ts';
import type { Table } from '../../../shared/platform/data/table.ts';

/** A license as a transaction names it; undefined members make it none. */
export interface WrittenLicense {
  readonly number: string | undefined;
  readonly state: string | undefined;
}

/** The NPNs of a license. */
export type NpnsOfLicense = (license: WrittenLicense) => readonly string[];

/** Queries at the same time. */
const concurrency = 32;

/** The key of a license; undefined for one whose number or state is missing. */
const keyOf = (owner: string, { number, state }: WrittenLicense): string | undefined => {
  const [of, by] = [number?.trim() ?? '', state?.trim().toUpperCase() ?? ''];
  return of === '' || by === '' ? undefined : registryPartitions.ofLicenseNumber(owner, by, of);
};

/** Reads whose licenses these are, among an owner's registry records; each license once. */
export async function readNpnsOfLicenses(
  table: Table<'by-license-number'>,
  owner: string,
  licenses: readonly WrittenLicense[],
): Promise<NpnsOfLicense> {
  const keys = licenses.flatMap((license) => keyOf(owner, license) ?? []);
  const npns = await readEach(keys, concurrency, async (key) => {
    const holders = await collect(table.query(itemKey, key, { index: 'by-license-number' }));
    return [...new Set(holders.map(({ pk }) => npnOfPartition(pk)))];
  });
  return (license) => npns.get(keyOf(owner, license) ?? '') ?? [];
}
