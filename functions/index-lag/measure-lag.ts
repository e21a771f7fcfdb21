import * as z from 'zod/mini';
import type { ChangedTable } from '../../shared/platform/changes/change-index.ts';
import { changeMark } from '../../shared/platform/changes/change-mark.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';

/**
 * Owners of the items of each table that are written only to be looked for in the index. Each is in a partition of its own, of
 * the table and of the index: one of them can lag while the others do not.
 */
const probes = Array.from({ length: 8 }, (_, number) => `PROBE#${number}`);

const mark = storedItem('index-lag-mark', () => ({ changedAt: z.string() }));

/**
 * Milliseconds for which a table's index of changes has not shown a mark that the last call wrote, in the partition where it is
 * latest; 0 if it shows them all. Only then is a partition's next mark written, so one that does not catch up is late by more
 * with every call.
 *
 * @throws SDK errors.
 */
export async function indexLagMs(table: ChangedTable, now: Date): Promise<number> {
  const lags = await Promise.all(probes.map((probe) => lagOfProbe(table, probe, now)));
  return Math.max(...lags);
}

async function lagOfProbe(table: ChangedTable, probe: string, now: Date): Promise<number> {
  const key = { pk: probe, ...(table.design.sortKey === undefined ? {} : { sk: probe }) };
  const changed = changeMark(probe, probe, now);
  const last = { index: 'by-change', descending: true, limit: 1 } as const;
  const [written, shown] = await Promise.all([
    table.get(mark, key),
    table.page(mark, changed.changeKey, last),
  ]);
  const shownAt = shown.items[0]?.changedAt ?? '';
  if (written !== undefined && shownAt < written.changedAt)
    return now.getTime() - Date.parse(written.changedAt);
  await table.update(key, changed);
  return 0;
}
