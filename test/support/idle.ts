import { setTimeout as pause } from 'node:timers/promises';
import type { LocalRun } from '../../infra/local/local-run.ts';

/** Work that takes long is asked about less and less often: each time is a call of the queue that is busy. */
const [firstPauseMs, longestPauseMs, pauseGrowth] = [50, 500, 1.3];

/** Resolves when nothing is waiting or being processed in any stage of event processing. */
export async function waitUntilIdle({ stages }: Pick<LocalRun, 'stages'>): Promise<void> {
  // A stage may create work for another one, so all have to be idle twice in a row.
  for (let [times, ms] = [0, firstPauseMs]; times < 2; ) {
    let isIdle = true;
    for (const stage of stages) isIdle &&= await stage.idle();
    times = isIdle ? times + 1 : 0;
    ms = isIdle ? firstPauseMs : Math.min(ms * pauseGrowth, longestPauseMs);
    await pause(ms);
  }
}
