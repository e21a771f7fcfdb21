import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { storedNumber, timestamp } from '../../platform/contract/primitives.ts';
import { collect } from '../../platform/data/collect.ts';
import { itemKey, storedItem } from '../../platform/data/stored.ts';
import { type Table, tableOf } from '../../platform/data/table.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { type Clocks, runAhead } from '../../platform/dates/clock.ts';
import { registryKeys } from '../registry-records/stored.ts';
import { registryRecordsTable } from '../registry-records/table.ts';

/** The clock of an organization that rehearses. */
export const clock = storedItem('registry-records/clock', () => ({
  /** How far it is ahead of the real time. */
  aheadMs: storedNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  /** The day in New York whose night was run last. */
  lastNight: z.string(),
  /** When the registry was visited last for all NPNs; absent where something may have changed since. */
  visitedOn: z.optional(z.string()),
  /** Where it goes to; absent when it is there. */
  to: z.optional(timestamp),
  /** Until when, in real time, somebody runs its nights. */
  leasedUntil: z.optional(timestamp),
}));

export type Clock = z.output<typeof clock>;

/** The clocks of all organizations that rehearse, as they are set and run. */
export const createClockStore = (table: Table) => ({
  find: (owner: string) => table.get(clock, registryKeys.clock(owner)),

  /** Whose clocks are, or go, ahead. */
  async owners(): Promise<string[]> {
    const keys = await collect(table.query(itemKey, registryKeys.clock('').pk));
    return keys.map(({ sk }) => sk);
  },

  /**
   * Has a clock go to a time.
   * @param before as it was read. @throws VersionConflict where it is no longer.
   * @param more items that are written with it.
   */
  advance: (
    owner: string,
    before: Clock | undefined,
    after: Pick<Clock, 'aheadMs' | 'lastNight' | 'to'>,
    more: readonly TransactionItem[],
  ) =>
    table.transact([
      table.items.put(
        { ...registryKeys.clock(owner), ...after },
        { to: before?.to, lastNight: before?.lastNight, leasedUntil: before?.leasedUntil },
      ),
      ...more,
    ]),

  /** Changes a clock whose nights are run. @returns false where it is no longer as it was read. */
  move: (owner: string, { lastNight, to, leasedUntil }: Clock, changes: Partial<Clock>) =>
    table.update(registryKeys.clock(owner), changes, { lastNight, to, leasedUntil }),
});

export type ClockStore = ReturnType<typeof createClockStore>;

/** The clocks of organizations, each read when something is done by it. */
export const createClocks = (dynamo: DynamoDBClient, tableName: string): Clocks => {
  const table = tableOf(registryRecordsTable, dynamo, tableName);
  return {
    async run(organizationId, work) {
      const found = await table.get(clock, registryKeys.clock(organizationId));
      return found === undefined ? work() : runAhead(found.aheadMs, work);
    },
  };
};

/** What a function has of the clocks whose table its variables name: nothing where they name none. */
export function clocksOf(dynamo: DynamoDBClient, values: object) {
  const { CLOCKS = 'none' } = values as { readonly CLOCKS?: string };
  return CLOCKS === 'none' ? {} : { clocks: createClocks(dynamo, CLOCKS) };
}
