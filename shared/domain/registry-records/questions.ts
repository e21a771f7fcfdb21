import * as z from 'zod/mini';
import { ApiError } from '#platform/contract/errors.ts';
import { timestamp } from '#platform/contract/primitives.ts';
import { absentOr, added, atMost } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table, TableWrites } from '#platform/data/table.ts';
import { endOfNewYorkDate, expiresAfterDays, newYorkDate } from '#platform/dates/dates.ts';
import { type Log, toError } from '#platform/log/log.ts';
import { type RegistryReport, registryHolder } from '../registry/registry.ts';
import { npnOfPartition, registryKeys } from './stored.ts';

/**
 * The questions that an organization may have the registry asked in a day, which ends at midnight in New York.
 * @param most NPNs that an organization may ask about in a day.
 */
export function createQuestionBudget(
  rateCounters: Pick<TableWrites, 'update'>,
  most: number,
  { now, logger }: { readonly now: () => Date; readonly logger: Log },
) {
  /** Takes questions of today's; answers when there are more, where too few are left. */
  async function take(organizationId: string, questions: number): Promise<Date | undefined> {
    const until = endOfNewYorkDate(newYorkDate(now()));
    const key = { pk: `registry#${organizationId}#${until.toISOString()}` };
    const changes = { count: added(questions), expiresAt: expiresAfterDays(until, 1) };
    try {
      const isTaken = await rateCounters.update(key, changes, { count: absentOr(atMost(most - questions)) });
      return isTaken ? undefined : until;
    } catch (error) {
      // As for the rate limits: refusing everyone would do the harm that counting prevents.
      logger.error('The rate counters are unreachable; questions to the registry are not counted.', {
        event: 'rate_counters_unreachable',
        organizationId,
        error: toError(error),
      });
      return undefined;
    }
  }

  return {
    take,

    /** Takes questions. @throws ApiError `rate_limit_exceeded` where too few are left. */
    async takeOrRefuse(organizationId: string, questions: number): Promise<void> {
      const until = await take(organizationId, questions);
      if (until === undefined) return;
      throw new ApiError('rate_limit_exceeded', {
        message: 'The organization’s questions to the registry are used up until midnight in New York.',
        details: { limit: most },
        retryAfterSeconds: Math.ceil((until.getTime() - now().getTime()) / 1_000),
      });
    },
  };
}

const visitedNpn = storedItem('registry-records/visited-npn', {
  pk: z.string(),
  holder: z.optional(z.object({ ...registryHolder.shape, visitedAt: timestamp })),
});

/**
 * The change of an NPN's item that says who holds it, by a visit: the registry's public facts, so that one organization's visit
 * answers another's lookup.
 */
export const holderChange = ({ kind, name }: RegistryReport, time: Date) => ({
  holder: kind === undefined ? undefined : { kind, name, visitedAt: time.toISOString() },
});

/** Milliseconds for which a visit says who holds an NPN. */
const answersForMs = 24 * 3_600_000;

/** Finds who holds NPNs, by NPN, where a visit of the last 24 hours found somebody. */
export const createHoldersOfVisits =
  (table: Pick<Table, 'getAll'>) => async (npns: readonly string[], now: Date) => {
    const since = new Date(now.getTime() - answersForMs).toISOString();
    const visitedNpns = await table.getAll(visitedNpn, npns.map(registryKeys.npn), { consistent: false });
    return new Map(
      visitedNpns.flatMap(({ pk, holder }) =>
        holder !== undefined && holder.visitedAt > since ? [[npnOfPartition(pk), holder] as const] : [],
      ),
    );
  };
