import { agentsTable } from '../../shared/domain/agents/table.ts';
import { associationsTable } from '../../shared/domain/associations/table.ts';
import { complianceTable } from '../../shared/domain/compliance/table.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { outboxTable } from '../../shared/domain/events/table.ts';
import { createSweepStore, type SweepStore } from '../../shared/domain/license-sweep/store.ts';
import type { SweepDeps } from '../../shared/domain/license-sweep/sweep.ts';
import { createNpnHolders } from '../../shared/domain/npn-holders/holders.ts';
import { partitionOf, shardOf } from '../../shared/domain/registry-records/stored.ts';
import { registryRecordsTable } from '../../shared/domain/registry-records/table.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import { itemsOf } from '../../shared/platform/data/table-items.ts';
import { createTables, dynamo } from './tables.ts';

/** The names of the tables that the license sweep uses. */
export type SweepTables = Readonly<
  Record<'records' | 'outbox' | 'agents' | 'associations' | 'compliance', string>
>;

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
    compliance: complianceTable,
  });
  const deps: SweepDeps = {
    store: createSweepStore(
      tablesOf(dynamo, { registryRecords: tables.records, compliance: tables.compliance }),
    ),
    holders: createNpnHolders(tablesOf(dynamo, { agents: tables.agents, associations: tables.associations })),
    events: createEventItems(itemsOf(tables.outbox)),
    now,
    onFailure: (_, error) => onFailure(error),
  };
  return { tables, deps };
}

/** The shard in which a sweep finds what an owner has of an NPN. */
export const sweptShard = (owner: string, npn: string): number => shardOf(partitionOf(owner, npn));

/** A sweep's store that looks into these shards alone; in the others is nobody. */
export const lookingInto = (shards: ReadonlySet<number>, store: SweepStore): SweepStore => ({
  ...store,
  async *due(job) {
    if (shards.has(job.shard)) yield* store.due(job);
  },
  changes: {
    ...store.changes,
    async *holders(job) {
      if (shards.has(job.shard)) yield* store.changes.holders(job);
    },
  },
});
