import * as z from 'zod/mini';
import { configHeads } from '../../shared/domain/compliance/store.ts';
import { complianceKeys } from '../../shared/domain/compliance/stored.ts';
import { expiredOn, expiringOn } from '../../shared/domain/decision/renewal.ts';
import { partitionOf, registryKeys } from '../../shared/domain/registry-records/stored.ts';
import { visitedSubscription } from '../../shared/domain/registry-records/visits.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { mapConcurrently } from '../../shared/platform/data/concurrently.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import type { CalendarDate } from '../../shared/platform/dates/calendar.ts';

/** By what the sweep finds an item, if it does: a license by the end of its term, others by the day on which they count. */
const foundItem = storedItem('registry-records/swept-by', () => ({
  renewalKey: z.optional(z.string()),
  startKey: z.optional(z.string()),
}));

/** A day on which the sweep finds something. */
interface DueDay {
  readonly day: CalendarDate;
  /** Whether it is found until it was swept, so that one whose night is over was missed. */
  readonly isKept: boolean;
}

const daysOf = ({ renewalKey, startKey }: z.output<typeof foundItem>): DueDay[] => {
  if (renewalKey === undefined) return startKey === undefined ? [] : [{ day: startKey, isKept: false }];
  const [first = '', day = ''] = renewalKey.split('#');
  if (first === 'CHANGE') return [{ day, isKept: true }];
  return [expiringOn(first), expiredOn(first)].map((boundary) => ({ day: boundary, isKept: false }));
};

/** Partitions read at once. */
const concurrency = 16;

/**
 * The nights of an owner after the last one that was run in which a sweep finds something, as it is stored now, and days that were
 * missed: what was written meanwhile by the clock of an earlier night may be due in one that is over.
 */
export const createDueNights =
  ({ registryRecords, compliance }: Tables<'registryRecords' | 'compliance'>) =>
  async (
    owner: string,
    lastNight: CalendarDate,
  ): Promise<{ readonly nights: readonly CalendarDate[]; readonly missed: readonly CalendarDate[] }> => {
    const [subscriptions, heads] = await Promise.all([
      collect(registryRecords.query(visitedSubscription, registryKeys.subscription(owner, '').pk)),
      configHeads(compliance, owner),
    ]);
    const consistent = { consistent: true };
    const reads = [
      ...subscriptions.map(({ npn }) =>
        registryRecords.query(foundItem, partitionOf(owner, npn), consistent),
      ),
      ...heads.map(({ productId, present }) =>
        compliance.query(
          foundItem,
          complianceKeys.configEntry(owner, { ...present, productId }).pk,
          consistent,
        ),
      ),
    ];
    const found = await mapConcurrently(reads, concurrency, collect);
    const days = found.flat().flatMap(daysOf);
    const missed = days.filter(({ day, isKept }) => isKept && day <= lastNight).map(({ day }) => day);
    return {
      nights: days.map(({ day }) => day).filter((day) => day > lastNight),
      missed: [...new Set(missed)],
    };
  };
