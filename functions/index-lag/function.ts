import * as z from 'zod/mini';
import { eventFunction } from '#function/function.ts';
import { type ChangedTable, changeMark, restoredKey } from '#platform/changes/change-index.ts';
import { present } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { uses } from './uses.ts';

/**
 * Owners of the items of each table that are written only to be looked for in the index. Each is in a partition of its own, of
 * the table and of the index: one of them can lag while the others do not.
 */
const probes = Array.from({ length: 8 }, (_, number) => `PROBE#${number}`);

const mark = storedItem('index-lag-mark', { changedAt: z.string() });

/**
 * Milliseconds for which a table's index of changes has not shown a mark that the last call wrote, in the partition where it is
 * latest; 0 if it shows them all. Only then is a partition's next mark written, so one that does not catch up is late by more
 * with every call.
 *
 * @throws SDK errors.
 */
async function indexLagMs(table: ChangedTable, now: Date): Promise<number> {
  const lags = await Promise.all(probes.map((probe) => lagOfProbe(table, probe, now)));
  return Math.max(...lags);
}

async function lagOfProbe(table: ChangedTable, probe: string, now: Date): Promise<number> {
  const key = { pk: probe, ...(table.design.sortKey === undefined ? {} : { sk: probe }) };
  const newMark = changeMark(probe, probe, now);
  const last = { index: 'by-change', descending: true, limit: 1 } as const;
  const [writtenMark, page] = await Promise.all([
    table.get(mark, key),
    table.page(mark, newMark.changeKey, last),
  ]);
  const shownAt = page.items[0]?.changedAt ?? '';
  if (writtenMark !== undefined && shownAt < writtenMark.changedAt)
    return now.getTime() - Date.parse(writtenMark.changedAt);
  await table.update(key, newMark);
  return 0;
}

/** Records of a restored table, once, that the service uses it: from then on its lists can be followed again. */
const recordMove = (table: Table, now: Date): Promise<boolean> =>
  table.update(
    restoredKey(table.design),
    { movedAt: now.toISOString() },
    { pk: present, movedAt: undefined },
  );

type MeasuredTable = keyof (typeof uses)['tables'];

/**
 * The longest lag that is not logged. A mark is a minute old when it is looked for, so what is not shown then is late; the
 * two minutes of `updatedUntilLagMs` are over a minute later.
 */
const longestLagMs = 45_000;

/**
 * Records that the service uses a restored table, and measures how far the indexes of changes lag behind their tables, which AWS
 * has no metric for; invoked by a schedule every minute. A caller that follows a list would miss changes that an index shows two
 * minutes late.
 */
export const indexLagFunction = eventFunction({
  uses,
  compose({ tables, context: { logger, now } }) {
    const isLate = async (table: MeasuredTable): Promise<boolean> => {
      await recordMove(tables[table], now());
      const lagMs = await indexLagMs(tables[table], now());
      if (lagMs <= longestLagMs) return false;
      logger.error('An index of changes lags behind its table.', { event: 'index_lags', table, lagMs });
      return true;
    };
    /** Answers the tables whose index is late, for those who invoke it by hand. */
    return async (): Promise<{ readonly late: readonly MeasuredTable[] }> => {
      const names = Object.keys(uses.tables) as MeasuredTable[];
      const areLate = await Promise.all(names.map(isLate));
      return { late: names.filter((_, index) => areLate[index]) };
    };
  },
});
