import { setTimeout as pause } from 'node:timers/promises';
import { waitUntilIdle } from '../support/idle.ts';

/** A stage that is at work until it was asked so many times. */
function stage(times: number) {
  let asked = 0;
  return { isDone: () => asked > times, idle: async () => ++asked > times };
}

it('waits for every stage', async () => {
  const stages = [stage(0), stage(4), stage(2)];
  await waitUntilIdle({ stages });
  expect(stages.map(({ isDone }) => isDone())).toEqual([true, true, true]);
});

it('waits for work that stages pass to each other in any direction', async () => {
  const busy = [false, true];
  const work = async (): Promise<void> => {
    for (const next of [0, 1, 0]) {
      await pause(120);
      busy[1 - next] = false;
      busy[next] = true;
    }
    await pause(120);
    busy[0] = false;
  };
  const ended = work();
  const stages = busy.map((_, index) => ({ idle: async () => busy[index] === false }));
  await waitUntilIdle({ stages });
  expect(busy).toEqual([false, false]);
  await ended;
});
