import { createEventItems } from '#domain/events/outbox.ts';
import { createSweepStore } from '#domain/license-sweep/store.ts';
import type { SweepDeps } from '#domain/license-sweep/sweep.ts';
import { createPartiesOfNpns } from '#domain/npn-holders/holders.ts';
import { tablesOf } from '#domain/tables.ts';
import { itemsOf } from '#platform/data/table.ts';
import { createTables, dynamo } from './tables.ts';

/** The names of the tables that the license sweep uses. */
export type SweepTables = Readonly<
  Record<'registryRecords' | 'outbox' | 'agents' | 'associations' | 'compliance' | 'organizations', string>
>;

/** The license sweep's dependencies on these tables. A license that fails is passed to `onFailure`. */
export function sweepOn(
  { registryRecords, outbox, agents, associations, compliance, organizations }: SweepTables,
  now: () => Date,
  onFailure: (error: unknown) => void,
): SweepDeps {
  return {
    store: createSweepStore(tablesOf(dynamo, { registryRecords, compliance, organizations })),
    holders: createPartiesOfNpns(tablesOf(dynamo, { agents, associations })),
    events: createEventItems(itemsOf(outbox)),
    now,
    onFailure: (_, error) => onFailure(error),
  };
}

/** The same on new tables. */
export async function sweepOnNewTables(
  now: () => Date,
  onFailure: (error: unknown) => void,
): Promise<{ readonly tables: SweepTables; readonly deps: SweepDeps }> {
  const tables = await createTables([
    'registryRecords',
    'outbox',
    'agents',
    'associations',
    'compliance',
    'organizations',
  ]);
  return { tables, deps: sweepOn(tables, now, onFailure) };
}
