import * as z from 'zod/mini';
import { absentOr, added, below } from '../../platform/data/expressions.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import type { TableItems } from '../../platform/data/table-items.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { associationKeys } from './stored.ts';

/** How many agencies count toward a carrier's plan. */
export const countItem = storedItem('associations/count', () => ({ liveCount: z.int() }));

/** The write of a carrier's count of agencies, which refuses one beyond the plan's ceiling. */
export function countWrites(
  items: TableItems,
  upstreamEntityId: string,
  planCeiling: number | undefined,
  difference: number,
): TransactionItem[] {
  if (difference === 0) return [];
  const key = associationKeys.count(upstreamEntityId);
  const changes = { liveCount: added(difference) };
  if (difference < 0 || planCeiling === undefined) return [items.update(key, changes)];
  const isWithin = { liveCount: planCeiling > 0 ? absentOr(below(planCeiling)) : below(planCeiling) };
  return [
    items.update(key, changes, isWithin, (stored) => {
      const { liveCount } = stored ? parseStored(countItem, stored) : { liveCount: 0 };
      return planLimitReached(planCeiling, liveCount);
    }),
  ];
}

/** The error at the plan ceiling; retrying does not help (OpenAPI, "addAssociation"). */
export const planLimitReached = (planCeiling: number, liveCount: number): DomainError =>
  new DomainError('plan_limit_reached', {
    limit: { expected: `at most ${planCeiling} associated agencies`, actual: String(liveCount) },
  });
