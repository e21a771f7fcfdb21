import * as z from 'zod/mini';
import { batchGetKeys } from '../../platform/aws/limits.ts';
import { itemKey, storedItem } from '../../platform/data/stored.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { configOfKey } from '../compliance/stored.ts';
import { EventAlreadyEmitted, ignoreAlreadyEmitted } from '../events/transaction-items.ts';
import {
  changeShard,
  nextChangeItem,
  npnOfPartition,
  ownerOfPartition,
  registryKeys,
  renewalPartition,
  subscriptionKeyOf,
} from '../registry-records/stored.ts';
import type { Tables } from '../tables.ts';
import type { SweepJob } from './jobs.ts';

/** Somebody whose compliance may change on a day. */
export interface ChangingHolder {
  readonly owner: string;
  readonly npn: string;
  /** Agencies' own compliance is not reported: events are for carriers. */
  readonly isOfCarrier: boolean;
}

/** A version of a product's config that begins on a day. */
export interface BeginningConfig {
  readonly owner: string;
  readonly productId: string;
}

const ownerOf = storedItem('registry-records/holder-owner', () => ({
  pk: z.string(),
  sk: z.string(),
  dataOwnerModel: z.string(),
}));

/** The holder's records are found on another day already. */
class MovedOn extends Error {}

/** What begins or has ended on a day, though nobody changed it. */
export function createSweptChanges(tables: Tables<'registryRecords' | 'compliance'>) {
  const table = tables.registryRecords;

  async function withOwners(partitions: readonly string[]): Promise<ChangingHolder[]> {
    const owners = await table.getAll(ownerOf, partitions.map(subscriptionKeyOf), { consistent: false });
    const models = new Map(owners.map(({ pk, sk, dataOwnerModel }) => [`${pk} ${sk}`, dataOwnerModel]));
    return partitions.map((partition) => {
      const { pk, sk } = subscriptionKeyOf(partition);
      return {
        owner: ownerOfPartition(partition),
        npn: npnOfPartition(partition),
        isOfCarrier: models.get(`${pk} ${sk}`) === 'upstreamEntity',
      };
    });
  }

  return {
    /** Whose records may say something else from the job's day on, page by page. */
    async *holders({ day, shard }: SweepJob): AsyncIterable<readonly ChangingHolder[]> {
      for await (const keys of table.keys(renewalPartition(changeShard(day, shard)))) {
        for (let at = 0; at < keys.length; at += batchGetKeys) {
          yield withOwners(keys.slice(at, at + batchGetKeys).map(({ pk }) => pk));
        }
      }
    },

    /** The versions of configs that begin on the job's day, page by page. */
    async *configs({ day, shard }: SweepJob): AsyncIterable<readonly BeginningConfig[]> {
      // They are few, in one partition: one job of the day has them.
      if (shard !== 0) return;
      const begun = tables.compliance.query(itemKey, day, { index: 'by-start' });
      for await (const keys of begun) yield keys.map(configOfKey);
    },

    /**
     * Writes the items, and has the holder's records found on another day instead; on none where that is null.
     * @returns false when they are found on another day already.
     */
    async moveOn(
      { owner, npn }: ChangingHolder,
      day: CalendarDate,
      next: CalendarDate | null,
      items: readonly TransactionItem[],
    ) {
      const isOnThisDay = { day };
      const refused = () => new MovedOn();
      const write =
        next === null
          ? table.items.delete(registryKeys.nextChange(owner, npn), isOnThisDay, refused)
          : table.items.put(nextChangeItem(owner, npn, next), isOnThisDay, refused);
      try {
        await table.transact([write, ...items]);
        return true;
      } catch (error) {
        if (error instanceof MovedOn || error instanceof EventAlreadyEmitted) return false;
        throw error;
      }
    },

    /** Emits events, unless they were emitted before. */
    emit: (items: readonly TransactionItem[]) => table.transact(items).catch(ignoreAlreadyEmitted),
  };
}
