import * as z from 'zod/mini';
import { invalid } from '../contract/errors.ts';
import { timestamp } from '../contract/primitives.ts';
import { updatedUntilLagMs } from '../contract/updated-until.ts';
import { storedItem } from '../data/stored.ts';
import type { Table } from '../data/table.ts';
import type { TableDesign } from '../data/table-design.ts';
import type { Key } from '../data/table-items.ts';

/** The key of the item that says of a table with followed lists that it was restored to an earlier time. */
export const restoredKey = ({ sortKey }: Pick<TableDesign, 'sortKey'>): Key => ({
  pk: 'RESTORED',
  ...(sortKey === undefined ? {} : { sk: 'RESTORED' }),
});

const restored = storedItem(
  'restored-table', // When the service was found to use the table; absent until then.
  () => ({ movedAt: z.optional(timestamp) }),
);

/** After every time that is given. */
const anyTime = '9999-12-31T23:59:59.999Z';

/** Answers the changes since a time, unless what they are changes of was restored to an earlier time meanwhile. */
export type ChangesSince = <Page>(since: string, pages: AsyncIterable<Page>) => Promise<AsyncIterable<Page>>;

/**
 * Refuses to answer changes since a time before these tables were restored: whoever holds what they had then, and what is gone,
 * would never learn of it. What is known of a table that the service has moved to does not change, and is read once.
 *
 * @returns what raises ApiError `validation_error` for such a time; the first page is read at the same time.
 */
export function createChangesSince(tables: readonly Table[]): ChangesSince {
  let known: string | undefined;

  /** Until when times are refused; empty where no table was restored. */
  async function refusedUntil(): Promise<string> {
    if (known !== undefined) return known;
    const found = await Promise.all(
      tables.map((table) => table.getAll(restored, [restoredKey(table.design)])),
    );
    const moves = found.flat().map(({ movedAt }) => movedAt);
    if (moves.includes(undefined)) return anyTime;
    const last = moves.reduce<string>((one, other = '') => (other > one ? other : one), '');
    // Since then nobody has got a later time than this from the tables that were there before.
    known = last === '' ? '' : new Date(Date.parse(last) - updatedUntilLagMs).toISOString();
    return known;
  }

  return async (since, pages) => {
    const iterator = pages[Symbol.asyncIterator]();
    const first = iterator.next();
    // Awaited below, unless the time is refused.
    first.catch(() => undefined);
    if (since < (await refusedUntil())) {
      throw invalid({
        path: 'updatedSince',
        message: 'is before the data was restored to an earlier time; read the whole list instead',
      });
    }
    return (async function* () {
      for (let page = await first; page.done !== true; page = await iterator.next()) yield page.value;
    })();
  };
}
