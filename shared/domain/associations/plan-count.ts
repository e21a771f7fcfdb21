import * as z from 'zod/mini';
import { toItem } from '../../platform/data/dynamo.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { associationKeys } from './stored.ts';

/** How many agencies count toward a carrier's plan. */
export const countItem = storedItem('associations/count', () => ({ liveCount: z.int() }));

/** The write of a carrier's count of agencies, which refuses one beyond the plan's ceiling. */
export function countWrites(
  table: string,
  upstreamEntityId: string,
  planCeiling: number | undefined,
  difference: number,
): TransactionItem[] {
  if (difference === 0) return [];
  const bound = difference > 0 && planCeiling !== undefined;
  return [
    {
      write: {
        Update: {
          TableName: table,
          Key: toItem(associationKeys.count(upstreamEntityId)),
          UpdateExpression: 'ADD liveCount :difference',
          ...(bound
            ? {
                ConditionExpression:
                  planCeiling > 0
                    ? 'attribute_not_exists(liveCount) OR liveCount < :ceiling'
                    : 'liveCount < :ceiling',
                ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
              }
            : {}),
          ExpressionAttributeValues: toItem({
            ':difference': difference,
            ...(bound ? { ':ceiling': planCeiling } : {}),
          }),
        },
      },
      refused: (stored) => {
        const { liveCount } = stored ? parseStored(countItem, stored) : { liveCount: 0 };
        return planLimitReached(planCeiling ?? 0, liveCount);
      },
    },
  ];
}

/** The error at the plan ceiling; retrying does not help (OpenAPI, "addAssociation"). */
export const planLimitReached = (planCeiling: number, liveCount: number): DomainError =>
  new DomainError('plan_limit_reached', {
    limit: { expected: `at most ${planCeiling} associated agencies`, actual: String(liveCount) },
  });
