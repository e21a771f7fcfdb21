import { setTimeout as pause } from 'node:timers/promises';

/** Just below the time limit of a test (`timeout.ts`): long enough for a busy machine, and the failure names the test's line. */
export const longestMs = 170_000;

/** Waits for a condition, however long the machine needs for it. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  everyMs = 20,
  atMostMs = longestMs,
): Promise<void> {
  for (const end = performance.now() + atMostMs; performance.now() < end; await pause(everyMs)) {
    if (await holds()) return;
  }
  throw new Error('The condition never held.');
}

/** Repeats a question until it has an answer, however long the machine needs for it. */
export async function eventually<Answer>(
  ask: () => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer> {
  for (const end = performance.now() + longestMs; performance.now() < end; await pause(50)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
  throw new Error('There never was an answer.');
}
