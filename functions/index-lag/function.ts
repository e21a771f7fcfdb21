import { tablesOf } from '../../shared/domain/tables.ts';
import type { Dependencies } from '../../shared/platform/config/dependencies.ts';
import { indexLagMs } from './measure-lag.ts';
import { recordMove } from './record-move.ts';
import { uses } from './uses.ts';

type MeasuredTable = keyof (typeof uses)['tables'];

/**
 * The longest lag that is not logged. A mark is a minute old when it is looked for, so what is not shown then is late; the
 * two minutes of `updatedUntilLagMs` are over a minute later.
 */
const longestLagMs = 45_000;

/**
 * Records that the service uses a restored table, and measures how far the indexes of changes lag behind their tables, which AWS has no metric for; invoked by a schedule every
 * minute. Whoever follows a list would miss changes that an index shows two minutes late.
 */
export function createIndexLagFunction({
  clients: { dynamo },
  tables: names,
  context: { logger, now },
}: Dependencies<typeof uses>) {
  const tables = tablesOf(dynamo, names);
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
}
