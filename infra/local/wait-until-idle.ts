import { setTimeout as pause } from 'node:timers/promises';

/** A stage of event processing. */
interface Stage {
  /** Whether nothing is waiting or being processed. */
  idle(): Promise<boolean>;
}

const everyMs = 50;

/** Resolves when nothing is waiting or being processed in any stage. */
export async function waitUntilIdle(stages: readonly Stage[]): Promise<void> {
  // A stage may create work for another one, so all have to be idle twice in a row.
  for (let times = 0; times < 2; ) {
    let isIdle = true;
    for (const stage of stages) isIdle &&= await stage.idle();
    times = isIdle ? times + 1 : 0;
    await pause(everyMs);
  }
}
