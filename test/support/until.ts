import { setTimeout as pause } from 'node:timers/promises';

/** Just below the time limit of a test (`timeout.ts`): long enough for a busy machine, and the failure names the test's line. */
export const longestMs = 170_000;

/** Waits the longer, the longer the wait has been: most questions are requests, and cost more than what is waited for. */
const waiting = (firstMs: number) => {
  let ms = firstMs;
  return async (): Promise<void> => {
    await pause(ms);
    ms = Math.min(ms * 1.3, 500);
  };
};

/** Waits for a condition, however long the machine needs for it. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  firstMs = 20,
  atMostMs = longestMs,
): Promise<void> {
  const wait = waiting(firstMs);
  for (const end = performance.now() + atMostMs; performance.now() < end; await wait()) {
    if (await holds()) return;
  }
  throw new Error('The condition never held.');
}

/** Repeats a question until it has an answer, however long the machine needs for it. */
export async function eventually<Answer>(
  ask: () => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer> {
  const wait = waiting(50);
  for (const end = performance.now() + longestMs; performance.now() < end; await wait()) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
  throw new Error('There never was an answer.');
}
