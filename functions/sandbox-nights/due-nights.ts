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

const nightsOf = ({ renewalKey, startKey }: z.output<typeof foundItem>): CalendarDate[] => {
  if (renewalKey === undefined) return startKey === undefined ? [] : [startKey];
  const [first = '', day = ''] = renewalKey.split('#');
  return first === 'CHANGE' ? [day] : [expiringOn(first), expiredOn(first)];
};

/** Partitions read at once. */
const concurrency = 16;

/** The days whose sweep finds something of an owner, as it is stored now: nothing happens in the nights of others. */
export const createDueNights =
  ({ registryRecords, compliance }: Tables<'registryRecords' | 'compliance'>) =>
  async (owner: string): Promise<ReadonlySet<CalendarDate>> => {
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
    return new Set(found.flat().flatMap(nightsOf));
  };
