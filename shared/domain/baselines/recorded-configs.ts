import { mapConcurrently } from '../../platform/data/concurrently.ts';
import type { Table } from '../../platform/data/table.ts';
import { decidingAmong, entriesOf, readVersions } from '../compliance/store.ts';
import type { StoredConfigHead } from '../compliance/stored.ts';
import { type Inputs, momentAt, type RecordedConfig, timesSince } from './baseline.ts';

/** Products that are read at once. */
const concurrency = 16;

/**
 * Reads what was recorded of a carrier's configs since the first of some times, and of their versions those by which the times since
 * each of them are answered.
 */
export const createRecordedConfigs =
  (table: Table) =>
  async (
    owner: string,
    heads: readonly StoredConfigHead[],
    inputs: Omit<Inputs, 'configs'>,
    sinces: readonly string[],
    now: string,
  ): Promise<RecordedConfig[]> => {
    const moments = [...sinces, now].map(momentAt);
    const found = await mapConcurrently(heads, concurrency, async (head) => ({
      head,
      entries: await entriesOf(table, owner, head, moments),
      versions: [],
    }));
    const times = new Set(sinces.flatMap((since) => timesSince({ ...inputs, configs: found }, since, now)));
    const deciding = found.map(({ head: { productId }, entries }) =>
      decidingAmong(entries, Array.from(times, momentAt)).map((entry) => ({ ...entry, productId })),
    );
    const read = await readVersions(table, owner, deciding.flat());
    return found.map((one, index) => ({ ...one, versions: (deciding[index] ?? []).map(read) }));
  };
