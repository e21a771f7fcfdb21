import { setTimeout as pause } from 'node:timers/promises';

/** The first pause is at most twice as long. */
const baseMs = 40;

const longestMs = 2_000;

/**
 * Waits before a retry: a random share of a time that doubles with each attempt, so that callers who were
 * refused together do not come back together (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/).
 * @param attempt how many calls failed so far, from 1.
 */
export const backOff = (attempt: number): Promise<void> =>
  pause(Math.random() * Math.min(longestMs, baseMs * 2 ** attempt));

/**
 * How long after its first attempt a call may still be repeated. The last repetition itself lasts at most some 12 s, when
 * all three of the SDK's attempts time out, and a request has 29 s.
 */
export const repeatedForMs = 6_000;

/** When and how often work is repeated. */
export interface RetryOptions {
  /** How often the work runs at most, the first time included. */
  readonly attempts: number;
  readonly isRetryable: (error: unknown) => boolean;
  /** No attempt starts later than this after the first one; unlimited where left out. */
  readonly withinMs?: number;
}

/**
 * Runs work until it succeeds, with a pause before each repetition (see `backOff`).
 * @param work gets the number of its attempt, from 1.
 * @throws what the last attempt raised.
 */
export async function retry<Result>(
  work: (attempt: number) => Promise<Result>,
  { attempts, isRetryable, withinMs = Number.POSITIVE_INFINITY }: RetryOptions,
): Promise<Result> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const isOver = attempt >= attempts || performance.now() - startedAt > withinMs;
      if (isOver || !isRetryable(error)) throw error;
      await backOff(attempt);
    }
  }
}
