import * as z from 'zod/mini';
import { tooEarly } from '../contract/errors.ts';
import { updatedUntilLagMs } from '../contract/list-queries.ts';
import { timestamp } from '../contract/primitives.ts';
import { storedItem } from '../data/stored.ts';
import type { Key, Table } from '../data/table.ts';
import type { TableDesign } from '../data/table-design.ts';

/** The key of the item that says of a table with followed lists that it was restored to an earlier time. */
export const restoredKey = ({ sortKey }: Pick<TableDesign, 'sortKey'>): Key => ({
  pk: 'RESTORED',
  ...(sortKey === undefined ? {} : { sk: 'RESTORED' }),
});

const restoredRecord = storedItem('restored-table', {
  /** Time at which the service was found to use the table; absent until then. */
  movedAt: z.optional(timestamp),
});

/** Text after every ISO time. */
const anyTime = '9999-12-31T23:59:59.999Z';

const timeBefore = (time: string, ms: number): string => new Date(Date.parse(time) - ms).toISOString();

/** Passes on the changes since a time, which a parameter has, unless the tables were restored to an earlier time meanwhile. */
export type UnlessRestored = <Page>(
  since: string,
  pages: AsyncIterable<Page>,
  path?: string,
) => Promise<AsyncIterable<Page>>;

/**
 * Refuses to answer changes since a time before these tables were restored: a caller that holds what they had then, and what is
 * gone, would never learn of it. What is known of a table that the service has moved to does not change, and is read once.
 *
 * @returns what raises ApiError `validation_error` for such a time; the first page is read at the same time.
 */
export function createUnlessRestored(tables: readonly Table[]): UnlessRestored {
  let refusalTimes: readonly string[] | undefined;

  /** The ends of the times that are refused; none where no table was restored. */
  async function readRefusalTimes(): Promise<readonly string[]> {
    if (refusalTimes !== undefined) return refusalTimes;
    const records = await Promise.all(
      tables.map((table) => table.getAll(restoredRecord, [restoredKey(table.design)])),
    );
    const refusedTimes = records
      .flat()
      // Since then nobody has got a later time than this from the tables that were there before.
      .map(({ movedAt }) => (movedAt === undefined ? anyTime : timeBefore(movedAt, updatedUntilLagMs)));
    if (!refusedTimes.includes(anyTime)) refusalTimes = refusedTimes;
    return refusedTimes;
  }

  return async (since, pages, path = 'updatedSince') => {
    const iterator = pages[Symbol.asyncIterator]();
    const first = iterator.next();
    // Awaited below, unless the time is refused.
    first.catch(() => undefined);
    const earliest = (await readRefusalTimes())
      .filter((until) => since < until)
      .sort()
      .at(-1);
    if (earliest !== undefined) {
      const message = `is before the data was restored to an earlier time; read the whole list instead`;
      throw tooEarly(path, message, earliest === anyTime ? null : earliest);
    }
    return (async function* () {
      for (let page = await first; page.done !== true; page = await iterator.next()) yield page.value;
    })();
  };
}
