import * as z from 'zod/mini';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { chunks, collect, readAhead } from '#platform/data/concurrently.ts';
import { above, absentOr, added, exists, not, oneOf, startsWith } from '#platform/data/expressions.ts';
import { itemKey, storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { organizationKeys } from '#platform/data/table-design.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { type CalendarDate, datesFrom } from '#platform/dates/dates.ts';
import { companyCodes } from '#platform/identity/organizations.ts';
import { configOfKey } from '../compliance/stored.ts';
import { haveOthersFrom } from '../decision/carrier.ts';
import { writtenDate } from '../decision/dates.ts';
import { nothingAdded } from '../decision/record.ts';
import { type Boundary, boundaries, renewalDateAt } from '../decision/renewal.ts';
import { ignoreAlreadyEmitted, isWritten, nothingToWrite } from '../events/transaction-items.ts';
import type { License } from '../registry/resources.ts';
import { createHolderRecords, type Holder } from '../registry-records/holder-records.ts';
import { entryPrefix } from '../registry-records/license-entries.ts';
import { type RegistryDataSubscription, registryDataSubscription } from '../registry-records/resources.ts';
import { createRecordedHolders } from '../registry-records/store.ts';
import {
  changeShard,
  npnOfPartition,
  ownerOfPartition,
  partitionOf,
  registryKeys,
  renewalPartition,
  renewalShard,
  shards,
  subscriptionKeyOf,
} from '../registry-records/stored.ts';
import type { Tables } from '../tables.ts';

/** Kinds of jobs: licenses at a boundary, or holders whose compliance may change on the day. */
const jobKinds = [...boundaries, 'CHANGE'] as const;

const calendarDay = z.iso.date();

/** A message of the license-sweep queue: one shard of what is due on one day. */
export const sweepJob = z.strictObject({
  day: calendarDay,
  /** The day on which the sweep runs: later than `day` where that one was missed. */
  runsOn: calendarDay,
  kind: z.enum(jobKinds),
  shard: z.int().check(z.gte(0), z.lt(shards)),
});

export type SweepJob = z.output<typeof sweepJob>;

/** A job for the licenses at a boundary. */
export type BoundaryJob = SweepJob & { readonly kind: Boundary };

/** Every job of a day. */
export const jobsOf = (day: CalendarDate, runsOn: CalendarDate): SweepJob[] =>
  jobKinds.flatMap((kind) => Array.from({ length: shards }, (_, shard) => ({ day, runsOn, kind, shard })));

/** A job's name, unique within its day. */
export const jobName = ({ kind, shard }: Pick<SweepJob, 'kind' | 'shard'>): string => `${kind}#${shard}`;

const state = storedItem('registry-records/sweep-state', {
  /** The first day that was ever swept. */
  firstDay: z.optional(z.iso.date()),
  /** Days that are complete, with gaps, since a sweep can fail, or an operator can sweep a day ahead of the others. */
  days: z._default(z.set(z.string()), new Set()),
});

const jobsOfDay = storedItem('registry-records/sweep-day', {
  done: z._default(z.set(z.string()), new Set()),
});

const isComplete = ({ done }: z.output<typeof jobsOfDay>): boolean => done.size === jobKinds.length * shards;

/** The days that were swept. One item holds them: ten bytes each, it has room for a hundred years. */
function createSweepDays(table: Table) {
  const key = registryKeys.sweepState();

  /** Adds the day to the set, and forgets its jobs. */
  const complete = (day: CalendarDate): Promise<void> =>
    table.transact([
      table.items.update(key, { days: added(new Set([day])) }),
      table.items.delete(registryKeys.sweepDay(day)),
    ]);

  return {
    /**
     * Records that days are swept from this one on, if none before it was swept.
     * @returns the days before it, of those that are swept, that are not complete, oldest first.
     */
    async begin(today: CalendarDate): Promise<readonly CalendarDate[]> {
      const { firstDay, days = new Set() } = (await table.get(state, key)) ?? {};
      if (firstDay !== undefined && firstDay <= today)
        return datesFrom(firstDay, today).filter((day) => !days.has(day));
      // Where it does not hold, another sweep has recorded an earlier day.
      await table.update(key, { firstDay: today }, { firstDay: absentOr(above(today)) });
      return [];
    },

    /** Names of the day's jobs that are done. Where all are, the day is recorded as complete. */
    async doneJobs(day: CalendarDate): Promise<ReadonlySet<string>> {
      const jobs = await table.get(jobsOfDay, registryKeys.sweepDay(day));
      if (jobs === undefined) return new Set();
      if (isComplete(jobs)) await complete(day);
      return jobs.done;
    },

    /** Records that jobs of a day are done, and with the last of them that the day is complete. */
    async finish(day: CalendarDate, jobs: readonly SweepJob[]): Promise<void> {
      const done = added(new Set(jobs.map(jobName)));
      const { item } = await table.change(jobsOfDay, registryKeys.sweepDay(day), { done });
      if (item !== undefined && isComplete(item)) await complete(day);
    },
  };
}

/** Somebody whose compliance may change on a day. */
interface ChangingHolder extends Holder {
  /** Agencies' own compliance is not reported: events are for carriers. */
  readonly isOfCarrier: boolean;
}

/** A version of a product's config that begins on a day. */
interface BeginningConfig {
  readonly owner: string;
  readonly productId: string;
}

const companyCodesOf = storedItem('organizations/company-codes', {
  organizationId: z.string(),
  naicCodes: companyCodes,
});

const ownerOf = storedItem('registry-records/holder-owner', { dataOwnerModel: z.string() });

/** Changes that come with a day, though nobody made them: something begins, or has ended. */
function createSweptChanges(tables: Tables<'registryRecords' | 'compliance' | 'organizations'>) {
  const table = tables.registryRecords;

  async function withOwners(partitions: readonly { readonly pk: string }[]): Promise<ChangingHolder[]> {
    const keys = partitions.map(({ pk }) => subscriptionKeyOf(pk));
    const ownerAt = await table.getByKey(ownerOf, keys, { consistent: false });
    return partitions.map(({ pk }) => ({
      owner: ownerOfPartition(pk),
      npn: npnOfPartition(pk),
      isOfCarrier: ownerAt(subscriptionKeyOf(pk))?.dataOwnerModel === 'upstreamEntity',
    }));
  }

  return {
    /** Holders whose records may say something else from the job's day on, page by page. */
    async *holders({ day, shard }: SweepJob): AsyncIterable<readonly ChangingHolder[]> {
      for await (const keys of table.keys(renewalPartition(changeShard(day, shard)))) {
        for (const batch of chunks(keys, { count: batchGetKeys })) yield withOwners(batch);
      }
    },

    /** The versions of configs that begin on the job's day, page by page. */
    async *configs({ day, shard }: SweepJob): AsyncIterable<readonly BeginningConfig[]> {
      // They are few, in one partition: one job of the day has them.
      if (shard !== 0) return;
      const beginningConfigs = tables.compliance.query(itemKey, day, { index: 'by-start' });
      for await (const keys of beginningConfigs) {
        yield keys.map(configOfKey);
      }
    },

    /** The organizations of which other company codes count from the job's day on: one job of the day reads all organizations. */
    async *carriers({ day, shard }: SweepJob): AsyncIterable<readonly string[]> {
      if (shard !== 0) return;
      const { pk } = organizationKeys.organization('');
      for await (const page of tables.organizations.scan(companyCodesOf, { pk: startsWith(pk) })) {
        yield page.flatMap(({ organizationId, naicCodes }) =>
          haveOthersFrom(naicCodes, day) ? organizationId : [],
        );
      }
    },

    /**
     * Writes the items, and has the holder's records found on the next day on which they may say something else. What finds them
     * in lists is derived again: from this day on it may be another row that says what a license is.
     * @returns false when that was done before.
     */
    moveOn(holder: ChangingHolder, { day }: SweepJob, now: () => Date, items: readonly TransactionItem[]) {
      const { owner, npn } = holder;
      const isFirst = table.items.delete(registryKeys.checkDay(owner, npn, day), exists, nothingToWrite);
      const last = () => [isFirst, ...items];
      const { record } = createHolderRecords(table, now);
      return isWritten(
        record(holder, { isSilent: false }, () => nothingAdded, { last }).then(() => undefined),
      );
    },

    /** Emits events, unless they were emitted before. */
    emit: (items: readonly TransactionItem[]) => table.transact(items).catch(ignoreAlreadyEmitted),
  };
}

const sweepEntry = storedItem('registry-records/sweep-entry', {
  pk: z.string(),
  sk: z.string(),
  /** Time since which the owner has the license. */
  createdAt: z.optional(z.string()),
  /** The date by which it is to be renewed, and the partition in which the sweep finds it; absent where it is not to be. */
  renewalDate: z.optional(z.string()),
  renewalKey: z.optional(z.string()),
});

type SweepEntry = z.output<typeof sweepEntry>;

/** A license that is at a boundary, and the subscription through which its owner has it. */
export interface DueLicense {
  readonly owner: string;
  readonly entry: SweepEntry;
  readonly license: License;
  readonly subscription: RegistryDataSubscription;
}

/** Reads and records for the license sweep. */
export type SweepStore = ReturnType<typeof createSweepStore>;

export function createSweepStore(tables: Tables<'registryRecords' | 'compliance' | 'organizations'>) {
  const table = tables.registryRecords;

  const { licensesOf } = createRecordedHolders(table);

  /** Licenses of entries, which are of one owner. */
  async function dueLicensesOf(
    entries: readonly { readonly entry: SweepEntry; readonly subscription: RegistryDataSubscription }[],
    day: CalendarDate,
  ): Promise<DueLicense[]> {
    const [owner = ''] = entries.map(({ subscription }) => subscription.dataOwnerId);
    const licenseOf = await licensesOf(
      owner,
      entries.map(({ entry }) => entry),
      day,
    );
    return entries.flatMap(({ entry, subscription }) => {
      const license = licenseOf(entry)?.row;
      return license === undefined ? [] : [{ owner, entry, license, subscription }];
    });
  }

  /** Reads licenses from the table: the index has keys alone, and lags behind the table. */
  async function read(
    keys: readonly { readonly pk: string; readonly sk: string }[],
    day: CalendarDate,
  ): Promise<readonly DueLicense[]> {
    const subscriptionKeys = keys.map(({ pk }) => subscriptionKeyOf(pk));
    const [entries, subscriptionAt] = await Promise.all([
      table.getAll(sweepEntry, keys, { consistent: false }),
      table.getByKey(registryDataSubscription, subscriptionKeys, { consistent: false }),
    ]);
    const licenses = entries.flatMap((entry) => {
      const subscription = subscriptionAt(subscriptionKeyOf(entry.pk));
      // Agencies' own licenses are not reported: events are for carriers.
      return subscription?.dataOwnerModel === 'upstreamEntity' ? [{ entry, subscription }] : [];
    });
    const licensesOfOwners = Map.groupBy(licenses, ({ subscription }) => subscription.dataOwnerId);
    const dueLicenses = await Promise.all(
      Array.from(licensesOfOwners.values(), (ofOwner) => dueLicensesOf(ofOwner, day)),
    );
    return dueLicenses.flat();
  }

  async function* dueLicenses({
    day,
    runsOn,
    kind,
    shard,
  }: BoundaryJob): AsyncGenerator<readonly DueLicense[]> {
    const partition = renewalPartition(renewalShard(renewalDateAt(kind, day), shard));
    for await (const keys of table.keys(partition)) {
      for (const batch of chunks(keys, { count: batchGetKeys })) yield read(batch, runsOn);
    }
  }

  return {
    ...createSweepDays(table),

    /** Licenses of carriers at the job's boundary, page by page. */
    due: (job: BoundaryJob) => readAhead(dueLicenses(job)),

    /** Licenses of a subscription that are to be renewed. */
    async ofSubscription(subscription: RegistryDataSubscription, day: CalendarDate) {
      const pk = partitionOf(subscription.dataOwnerId, subscription.npn);
      const entries = await collect(
        table.query(sweepEntry, pk, { sort: startsWith(entryPrefix), consistent: true }),
      );
      return dueLicensesOf(
        entries
          .filter(({ renewalKey }) => renewalKey !== undefined)
          .map((entry) => ({ entry, subscription })),
        day,
      );
    },

    changes: createSweptChanges(tables),

    /**
     * Marks a license and writes the further items, all or nothing.
     * @param renewalDate that by which it was found.
     * @returns false when it was reported before, by either of its dates, or has changed since it was read.
     */
    async mark(
      { entry, license: { expirationDate } }: DueLicense,
      boundary: Boundary,
      renewalDate: CalendarDate,
      items: readonly TransactionItem[],
    ): Promise<boolean> {
      const { pk, sk, renewalKey } = entry;
      const reportedDates = [renewalDate, ...(expirationDate === null ? [] : [writtenDate(expirationDate)])];
      const isNew = { renewalDate: absentOr(not(oneOf(...reportedDates))) };
      const key = { pk, sk };
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
