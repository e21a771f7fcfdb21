import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { storedNumber, timestamp } from '../../platform/contract/primitives.ts';
import { collect } from '../../platform/data/concurrently.ts';
import { itemKey, storedItem } from '../../platform/data/stored.ts';
import { type Table, tableOf } from '../../platform/data/table.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import {
  addDays,
  type CalendarDate,
  type Clocks,
  newYorkDate,
  runAhead,
} from '../../platform/dates/dates.ts';
import { registryKeys } from '../registry-records/stored.ts';
import { registryRecordsTable } from '../table-designs.ts';

/** The clock of an organization that rehearses. */
const clock = storedItem('registry-records/clock', () => ({
  /** How far it is ahead of the real time. */
  aheadMs: storedNumber({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  /** Since when it is, in real time. */
  since: z.optional(timestamp),
  /** The day in New York whose night was run last. */
  lastNight: z.string(),
  /** When the registry was visited last for all NPNs; absent where something may have changed since. */
  visitedOn: z.optional(z.string()),
  /**
   * When a record was last put over the registry while it was ahead, in real time: a visit that was under way then may have missed
   * it.
   */
  recordPutAt: z.optional(timestamp),
  /** Where it goes to; absent when it is there. */
  to: z.optional(timestamp),
  /** Whether it was set back, and what is dated after the real time is still to be taken back. */
  isReset: z.optional(z.boolean()),
  /** Until when, in real time, somebody runs its nights. */
  leasedUntil: z.optional(timestamp),
}));

export type Clock = z.output<typeof clock>;

async function ownersIn(table: Table): Promise<ReadonlySet<string>> {
  const keys = await collect(table.query(itemKey, registryKeys.clock('').pk));
  return new Set(keys.map(({ sk }) => sk));
}

/** The clocks of all organizations that rehearse, as they are set and run. */
export const createClockStore = (table: Table) => ({
  find: (owner: string) => table.get(clock, registryKeys.clock(owner)),

  /** The owners of clocks that are, or go, ahead. */
  owners: () => ownersIn(table),

  /**
   * Has a clock go to a time, or be set back. What runs its nights notices after the present night.
   * @param before as it was read. @throws VersionConflict where it is no longer.
   * @param more items that are written with it.
   */
  set: (
    owner: string,
    before: Clock | undefined,
    after: Omit<Clock, 'leasedUntil'>,
    more: readonly TransactionItem[],
  ) => {
    const leasedUntil = before?.leasedUntil;
    return table.transact([
      table.items.put(
        { ...registryKeys.clock(owner), ...after, leasedUntil },
        { to: before?.to, lastNight: before?.lastNight, leasedUntil },
      ),
      ...more,
    ]);
  },

  /** Changes a clock whose nights are run. @returns false where it is no longer as it was read. */
  move: (
    owner: string,
    { lastNight, recordPutAt, to, isReset, leasedUntil }: Clock,
    changes: Partial<Clock>,
  ) => table.update(registryKeys.clock(owner), changes, { lastNight, recordPutAt, to, isReset, leasedUntil }),

  /** Lets others run the nights of a clock. @param leasedUntil by which it is known whose they were. */
  release: (owner: string, leasedUntil: string) =>
    table.update(registryKeys.clock(owner), { leasedUntil: undefined }, { leasedUntil }),

  /** Ends a clock: from now on the organization has the real one. */
  end: (owner: string, leasedUntil: string) => table.delete(registryKeys.clock(owner), { leasedUntil }),
});

/** The clocks of organizations, each read when something is done by it. */
export const createClocks = (dynamo: DynamoDBClient, tableName: string): Clocks => {
  const table = tableOf(registryRecordsTable, dynamo, tableName);
  return {
    async run(organizationId, work) {
      const found = await table.get(clock, registryKeys.clock(organizationId));
      return found === undefined ? work() : runAhead(found, work);
    },
    owners: () => ownersIn(table),
  };
};

/** The clocks of the table with this name, for the context of a function: nothing where nobody rehearses. */
export const clocksOf = (dynamo: DynamoDBClient, tableName = 'none'): { readonly clocks?: Clocks } =>
  tableName === 'none' ? {} : { clocks: createClocks(dynamo, tableName) };

/** When a night of an organization that rehearses is run: at 5 or 6 in New York, all at once. */
export const nightAt = (day: CalendarDate): Date => new Date(`${day}T10:00:00.000Z`);

/** The day whose night was the last before a time. */
export function lastNightBefore(time: Date): CalendarDate {
  const day = newYorkDate(time);
  return nightAt(day) <= time ? day : addDays(day, -1);
}
