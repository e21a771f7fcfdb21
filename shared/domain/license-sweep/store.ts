import * as z from 'zod/mini';
import { batchGetKeys } from '../../platform/aws/limits.ts';
import { object } from '../../platform/contract/object.ts';
import { collect, readAhead } from '../../platform/data/concurrently.ts';
import { absentOr, exists, not, oneOf, startsWith } from '../../platform/data/expressions.ts';
import {
  anyItem,
  itemKey,
  parseStoredOrError,
  StoredItemError,
  storedItem,
} from '../../platform/data/stored.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import { configOfKey } from '../compliance/stored.ts';
import { writtenDate } from '../decision/dates.ts';
import { type Boundary, renewalDateAt } from '../decision/renewal.ts';
import { ignoreAlreadyEmitted, isWritten, nothingToWrite } from '../events/transaction-items.ts';
import { license } from '../registry/resources.ts';
import { type Holder, raiseVersion, readHolder } from '../registry-records/holder-records.ts';
import { registryDataSubscription } from '../registry-records/resources.ts';
import {
  changeShard,
  nextChangeItem,
  npnOfPartition,
  ownerOfPartition,
  partitionOf,
  registryKeys,
  renewalPartition,
  renewalShard,
  subscriptionKeyOf,
} from '../registry-records/stored.ts';
import type { Tables } from '../tables.ts';
import { type BoundaryJob, createSweepDays, type SweepJob } from './jobs.ts';

/** Somebody whose compliance may change on a day. */
export interface ChangingHolder extends Holder {
  /** The sort key of what says so. */
  readonly foundBy: string;
  /** Agencies' own compliance is not reported: events are for carriers. */
  readonly isOfCarrier: boolean;
}

/** From which day to which a holder's records are moved; they are found on none where that is null. */
interface Move {
  readonly day: CalendarDate;
  readonly next: CalendarDate | null;
  /** Of the records that name the next day. */
  readonly version: number;
}

/** A version of a product's config that begins on a day. */
interface BeginningConfig {
  readonly owner: string;
  readonly productId: string;
}

const ownerOf = storedItem('registry-records/holder-owner', () => ({
  pk: z.string(),
  sk: z.string(),
  dataOwnerModel: z.string(),
}));

/** What begins or has ended on a day, though nobody changed it. */
function createSweptChanges(tables: Tables<'registryRecords' | 'compliance'>) {
  const table = tables.registryRecords;

  async function withOwners(
    found: readonly { readonly pk: string; readonly sk: string }[],
  ): Promise<ChangingHolder[]> {
    const owners = await table.getAll(
      ownerOf,
      found.map((one) => subscriptionKeyOf(one.pk)),
      { consistent: false },
    );
    const models = new Map(owners.map(({ pk, sk, dataOwnerModel }) => [`${pk} ${sk}`, dataOwnerModel]));
    return found.map(({ pk: partition, sk: foundBy }) => {
      const { pk, sk } = subscriptionKeyOf(partition);
      return {
        owner: ownerOfPartition(partition),
        npn: npnOfPartition(partition),
        foundBy,
        isOfCarrier: models.get(`${pk} ${sk}`) === 'upstreamEntity',
      };
    });
  }

  return {
    /** Whose records may say something else from the job's day on, page by page. */
    async *holders({ day, shard }: SweepJob): AsyncIterable<readonly ChangingHolder[]> {
      for await (const keys of table.keys(renewalPartition(changeShard(day, shard)))) {
        for (let at = 0; at < keys.length; at += batchGetKeys) {
          yield withOwners(keys.slice(at, at + batchGetKeys));
        }
      }
    },

    /** The versions of configs that begin on the job's day, page by page. */
    async *configs({ day, shard }: SweepJob): AsyncIterable<readonly BeginningConfig[]> {
      // They are few, in one partition: one job of the day has them.
      if (shard !== 0) return;
      const begun = tables.compliance.query(itemKey, day, { index: 'by-start' });
      for await (const keys of begun) {
        yield keys.map(configOfKey);
      }
    },

    /** What is recorded of a holder by now. */
    read: (holder: ChangingHolder) => readHolder(table, holder),

    /**
     * Writes the items, and has the holder's records found on another day instead.
     * @returns false when they are found on another day already.
     * @throws VersionConflict when something was recorded since the version, which may name an earlier day: a writer that records
     *   it leaves a day that has come to the sweep.
     */
    async moveOn(holder: ChangingHolder, { day, next, version }: Move, items: readonly TransactionItem[]) {
      const { owner, npn, foundBy } = holder;
      const isOnThisDay = { day };
      const nextChange = registryKeys.nextChange(owner, npn);
      const found = { pk: nextChange.pk, sk: foundBy };
      // A day on which an appointment became overdue has an item of its own, which is gone then.
      const isDueDay = foundBy !== nextChange.sk;
      const write =
        next === null || isDueDay
          ? table.items.delete(found, isDueDay ? exists : isOnThisDay, nothingToWrite)
          : table.items.put(nextChangeItem(owner, npn, next), isOnThisDay, nothingToWrite);
      return isWritten(table.transact([write, raiseVersion(table.items, holder, version), ...items]));
    },

    /** Emits events, unless they were emitted before. */
    emit: (items: readonly TransactionItem[]) => table.transact(items).catch(ignoreAlreadyEmitted),
  };
}

const sweptLicense = storedItem(
  'registry-records/swept-license',
  object(() => ({
    ...license.shape,
    sk: z.string(),
    /** When the owner first had the license. */
    createdAt: z.optional(z.string()),
    /** The date by which it is to be renewed, and the partition in which the sweep finds it; absent where it is not to be. */
    renewalDate: z.optional(z.string()),
    renewalKey: z.optional(z.string()),
  })),
);

/** A license that is at a boundary, and the subscription through which its owner has it. */
export interface DueLicense {
  readonly owner: string;
  readonly license: z.output<typeof sweptLicense>;
  readonly subscription: z.output<typeof registryDataSubscription>;
}

/** What the license sweep reads and records. */
export type SweepStore = ReturnType<typeof createSweepStore>;

/** Together with their subscriptions they are one batch. */
const licensesAtOnce = 50;

export function createSweepStore(tables: Tables<'registryRecords' | 'compliance'>) {
  const table = tables.registryRecords;

  /** Reads licenses from the table: the index has keys alone, and lags behind the table. */
  async function read(
    keys: readonly { readonly pk: string; readonly sk: string }[],
  ): Promise<readonly (DueLicense | StoredItemError)[]> {
    const subscriptions = new Map(keys.map(({ pk }) => [pk, subscriptionKeyOf(pk)]));
    const wanted = [...keys, ...subscriptions.values()];
    const items = await table.getAll(anyItem, wanted, { consistent: false });
    const found = new Map(items.map((item) => [`${item['pk']} ${item['sk']}`, item]));
    return keys.flatMap((key): (DueLicense | StoredItemError)[] => {
      const item = found.get(`${key.pk} ${key.sk}`);
      const itsKey = subscriptions.get(key.pk);
      const subscriptionItem = found.get(`${itsKey?.pk} ${itsKey?.sk}`);
      if (item === undefined || subscriptionItem === undefined) return [];
      const subscription = parseStoredOrError(registryDataSubscription, subscriptionItem);
      if (subscription instanceof StoredItemError) return [subscription];
      // Agencies' own licenses are not reported: events are for carriers.
      if (subscription.dataOwnerModel !== 'upstreamEntity') return [];
      const stored = parseStoredOrError(sweptLicense, item);
      if (stored instanceof StoredItemError) return [stored];
      return [{ owner: subscription.dataOwnerId, license: stored, subscription }];
    });
  }

  async function* chunks({
    day,
    kind,
    shard,
  }: BoundaryJob): AsyncGenerator<readonly (DueLicense | StoredItemError)[]> {
    const partition = renewalPartition(renewalShard(renewalDateAt(kind, day), shard));
    for await (const keys of table.keys(partition)) {
      for (let at = 0; at < keys.length; at += licensesAtOnce) {
        yield read(keys.slice(at, at + licensesAtOnce));
      }
    }
  }

  return {
    ...createSweepDays(table),

    /** Licenses of carriers at the job's boundary, page by page; for one that cannot be read, the error. */
    due: (job: BoundaryJob) => readAhead(chunks(job)),

    /** The licenses of a subscription that are to be renewed. */
    async ofSubscription(subscription: DueLicense['subscription']): Promise<readonly DueLicense[]> {
      const { dataOwnerId: owner, npn } = subscription;
      const { pk, skPrefix } = registryKeys.ofNpn(owner, npn, 'LICENSE');
      const rows = await collect(
        table.query(sweptLicense, pk, { sort: startsWith(skPrefix), consistent: true }),
      );
      return rows.flatMap((license) =>
        license.renewalKey === undefined ? [] : [{ owner, license, subscription }],
      );
    },

    changes: createSweptChanges(tables),

    /**
     * Marks a license and writes the further items, all or nothing.
     * @param renewalDate that by which it was found.
     * @returns false when it was reported before, by either of its dates, or has changed since it was read.
     */
    async mark(
      { owner, license: due }: DueLicense,
      boundary: Boundary,
      renewalDate: CalendarDate,
      items: readonly TransactionItem[],
    ): Promise<boolean> {
      const { npn, sk, expirationDate, renewalKey } = due;
      const reportedBy = [renewalDate, ...(expirationDate === null ? [] : [writtenDate(expirationDate)])];
      const isNew = { renewalDate: absentOr(not(oneOf(...reportedBy))) };
      const key = { pk: partitionOf(owner, npn), sk };
      return isWritten(
        table.transact([
          table.items.put({ ...registryKeys.swept(boundary, key), renewalDate }, isNew, nothingToWrite),
          table.items.check(key, { renewalKey }, nothingToWrite),
          ...items,
        ]),
      );
    },
  };
}
