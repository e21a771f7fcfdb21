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

const restored = storedItem('restored-table', () => ({
  /** The time whose data the table has. */
  restoredTo: z.optional(timestamp),
  /** When the service was found to use the table; absent until then. */
  movedAt: z.optional(timestamp),
}));

/** After every time that is given. */
const anyTime = '9999-12-31T23:59:59.999Z';

/** For how long a response reads after its start, at most: it contains nothing later than that. */
const longestAnswerMs = 360_000;

const earlier = (time: string, ms: number): string => new Date(Date.parse(time) - ms).toISOString();

/** Passes on the changes since a time, unless the tables were restored to an earlier time meanwhile. */
export type UnlessRestored = <Page>(
  since: string,
  pages: AsyncIterable<Page>,
) => Promise<AsyncIterable<Page>>;

/** How a list is followed. */
interface Following {
  readonly parameter: string;
  /** Whether it is of what was once recorded: who knows nothing of what a restore took away can still read all that is left. */
  readonly isHistory?: boolean;
  /** What a refused caller is to do. */
  readonly instead: string;
}

const wholeList: Following = { parameter: 'updatedSince', instead: 'read the whole list instead' };

/**
 * Refuses to answer changes since a time before these tables were restored: a caller that holds what they had then, and what is
 * gone, would never learn of it. What is known of a table that the service has moved to does not change, and is read once.
 *
 * @returns what raises ApiError `validation_error` for such a time; the first page is read at the same time.
 */
export function createUnlessRestored(
  tables: readonly Table[],
  { parameter, isHistory = false, instead }: Following = wholeList,
): UnlessRestored {
  let known: readonly { readonly from: string; readonly until: string }[] | undefined;

  /** The times that are refused; none where no table was restored. */
  async function refusedTimes() {
    if (known !== undefined) return known;
    const found = await Promise.all(
      tables.map((table) => table.getAll(restored, [restoredKey(table.design)])),
    );
    const refused = found.flat().map(({ restoredTo, movedAt }) => ({
      from:
        isHistory && restoredTo !== undefined ? earlier(restoredTo, updatedUntilLagMs + longestAnswerMs) : '',
      // Since then nobody has got a later time than this from the tables that were there before.
      until: movedAt === undefined ? anyTime : earlier(movedAt, updatedUntilLagMs),
    }));
    if (refused.every(({ until }) => until !== anyTime)) known = refused;
    return refused;
  }

  return async (since, pages) => {
    const iterator = pages[Symbol.asyncIterator]();
    const first = iterator.next();
    // Awaited below, unless the time is refused.
    first.catch(() => undefined);
    const refused = (await refusedTimes()).filter(({ from, until }) => from <= since && since < until);
    const earliest = refused
      .map(({ until }) => until)
      .sort()
      .at(-1);
    if (earliest !== undefined) {
      const message = `is before the data was restored to an earlier time; ${instead}`;
      throw tooEarly(parameter, message, earliest === anyTime ? null : earliest);
    }
    return (async function* () {
      for (let page = await first; page.done !== true; page = await iterator.next()) yield page.value;
    })();
  };
}
