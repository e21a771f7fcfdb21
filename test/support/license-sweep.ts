import {
  agentsTable,
  associationsTable,
  outboxTable,
  registryRecordsTable,
} from '../../shared/data/tables.ts';
import { createEventItems } from '../../shared/events/outbox.ts';
import { createSweepStore } from '../../shared/license-sweep/store.ts';
import type { SweepDeps } from '../../shared/license-sweep/sweep.ts';
import { createNpnHolders } from '../../shared/npn-holders/holders.ts';
import { createTables, dynamo } from './tables.ts';

/** The names of the tables that the license sweep uses. */
export type SweepTables = Readonly<Record<'records' | 'outbox' | 'agents' | 'associations', string>>;

/** New tables, and the license sweep's dependencies on them. A license that fails is passed to `onFailure`. */
export async function sweepOnNewTables(
  now: () => Date,
  onFailure: (error: unknown) => void,
): Promise<{ readonly tables: SweepTables; readonly deps: SweepDeps }> {
  const tables = await createTables({
    records: registryRecordsTable,
    outbox: outboxTable,
    agents: agentsTable,
    associations: associationsTable,
  });
  const deps: SweepDeps = {
    store: createSweepStore(dynamo, tables.records),
    holders: createNpnHolders(dynamo, tables),
    events: createEventItems(tables.outbox),
    now,
    onFailure: (_, error) => onFailure(error),
  };
  return { tables, deps };
}
