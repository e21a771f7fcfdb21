import {
  createSimulatedRecords,
  type SimulatedRecord,
  simulatedKeys,
} from '../../shared/domain/registry/simulated-record.ts';
import { registryKeys } from '../../shared/domain/registry-records/stored.ts';
import { factKeys } from '../../shared/domain/registry-records/stored-facts.ts';
import { namedNpn } from '../../shared/domain/registry-records/subscriptions.ts';
import { exists } from '../../shared/platform/data/expressions.ts';
import { anyItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import { retryOnConflict, type TransactionItem } from '../../shared/platform/data/transact.ts';

/** What customers put over the simulated registry, each for itself. */
export const createOwnRecords = (table: Table) => ({
  find: createSimulatedRecords(table).ownOf,

  /**
   * Puts a record, and has the NPN visited in the next night, where anybody subscribes to it; a clock that is ahead visits all of its
   * owner's then. Until then, lists of changes confirm nothing of it to the owner.
   * @param more items that are written with it.
   */
  put: (owner: string, npn: string, record: SimulatedRecord, now: Date, more: readonly TransactionItem[]) =>
    retryOnConflict(async () => {
      const [subscribed, visits, clock] = [
        registryKeys.npn(npn),
        factKeys.visits(owner, npn),
        registryKeys.clock(owner),
      ];
      // None of the first two is ever deleted. What comes between reads the record.
      const [held, visited, ahead] = await Promise.all(
        [subscribed, visits, clock].map((key) => table.get(anyItem, key)),
      );
      const visitAll = { visitedOn: undefined, recordPutAt: now.toISOString() };
      await table.transact([
        table.items.put({ ...simulatedKeys.ownRecord(owner, npn), ...record }),
        ...(held?.['pollKey'] === undefined ? [] : [table.items.update(subscribed, namedNpn(npn, now))]),
        ...(visited === undefined ? [] : [table.items.update(visits, { namedAt: now.toISOString() })]),
        ...(ahead === undefined ? [] : [table.items.update(clock, visitAll, exists)]),
        ...more,
      ]);
    }),
});
