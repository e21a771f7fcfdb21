import { agentsTable } from '../../shared/domain/agents/table.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { downstreamEntitiesTable } from '../../shared/domain/downstream-entities/table.ts';
import { policiesTable } from '../../shared/domain/policies/table.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import type { Dependencies } from '../../shared/platform/config/dependencies.ts';
import type { TableDesign } from '../../shared/platform/data/table-design.ts';
import { indexLagMs } from './measure-lag.ts';
import { recordMove } from './record-move.ts';
import type { uses } from './uses.ts';

type MeasuredTable = keyof (typeof uses)['tables'];

/** The tables that followed lists read by their index of changes. */
const designs: Readonly<Record<MeasuredTable, TableDesign>> = {
  agents: agentsTable,
  associations: associationsTable,
  downstreamEntities: downstreamEntitiesTable,
  policies: policiesTable,
  registryRecords: registryRecordsTable,
};

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
  tables,
  context: { logger, now },
}: Dependencies<typeof uses>) {
  const isLate = async (table: MeasuredTable): Promise<boolean> => {
    await recordMove(dynamo, tables[table], designs[table], now());
    const lagMs = await indexLagMs(dynamo, tables[table], designs[table], now());
    if (lagMs <= longestLagMs) return false;
    logger.error('An index of changes lags behind its table.', { event: 'index_lags', table, lagMs });
    return true;
  };
  /** Answers the tables whose index is late, for those who invoke it by hand. */
  return async (): Promise<{ readonly late: readonly MeasuredTable[] }> => {
    const names = Object.keys(designs) as MeasuredTable[];
    const areLate = await Promise.all(names.map(isLate));
    return { late: names.filter((_, index) => areLate[index]) };
  };
}
