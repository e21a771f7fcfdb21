import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 50;

/** Resolves when nothing is waiting or being processed in any stage of event processing. */
export async function waitUntilIdle(
  stages: readonly { readonly idle: () => Promise<boolean> }[],
): Promise<void> {
  // A stage may create work for another one, so all have to be idle twice in a row.
  for (let times = 0; times < 2; ) {
    let isIdle = true;
    for (const stage of stages) isIdle &&= await stage.idle();
    times = isIdle ? times + 1 : 0;
    await pause(everyMs);
  }
}
