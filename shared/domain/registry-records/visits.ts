import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { retry } from '../../platform/aws/backoff.ts';
import { object } from '../../platform/contract/object.ts';
import { absentOr, oneOf } from '../../platform/data/expressions.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { registryDataSubscription } from './registry-data-subscription.ts';

// A visit asks the registry what it has on record for an NPN, and records the answer for a subscription. By then another visit
// may have been recorded that asked later. So each of its transactions leaves its mark on the subscription, and is refused
// unless the mark there is its own or the one that it found before it asked: what it would overwrite was asked for before.
// No clock is compared.

/** A subscription as a visit finds it. */
export const visitedSubscription = storedItem(
  'registry-records/visited-subscription',
  object(() => ({
    ...registryDataSubscription.shape,
    /** The mark of the visit that was recorded last. */
    lastVisit: z.optional(z.string()),
  })),
);

export type VisitedSubscription = z.output<typeof visitedSubscription>;

/** Another visit was recorded since this one asked, or the subscription is no longer as it was found. */
export class VisitSuperseded extends Error {
  override readonly name = 'VisitSuperseded';

  constructor() {
    super(
      'Another visit of the registry was recorded, or a synchronization began or ended, since this visit asked.',
    );
  }
}

/**
 * What each write of a visit changes of its subscription, and on which condition.
 * @param before the subscription as it was read before the registry was asked.
 */
export function newVisit({ lastVisit }: Pick<VisitedSubscription, 'lastVisit'>) {
  const own = randomUUID();
  return {
    changes: { lastVisit: own },
    condition: { lastVisit: lastVisit === undefined ? absentOr(own) : oneOf(lastVisit, own) },
  };
}

export type Visit = ReturnType<typeof newVisit>;

/** How often a visit asks; after that its job is done again, later. */
const mostQuestions = 3;

/**
 * Makes a visit, again where it is superseded.
 * @param visit reads the subscription, asks the registry, and records its answer; it gets the number of its attempt, from 1.
 * @throws VisitSuperseded when it was superseded each time; what the visit raises.
 */
export const askAgainIfSuperseded = <Result>(visit: (attempt: number) => Promise<Result>): Promise<Result> =>
  retry(visit, { attempts: mostQuestions, isRetryable: (error) => error instanceof VisitSuperseded });
