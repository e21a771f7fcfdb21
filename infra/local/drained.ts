import { setTimeout as pause } from 'node:timers/promises';

/** A stage of event processing. */
interface Stage {
  /** Whether nothing is waiting or being processed. */
  idle(): Promise<boolean>;
}

const everyMs = 50;

/** Resolves when nothing is waiting or being processed in any stage. */
export async function drained(stages: readonly Stage[]): Promise<void> {
  const allIdle = async (): Promise<boolean> => {
    for (const stage of stages) if (!(await stage.idle())) return false;
    return true;
  };
  for (;;) {
    // A stage may create work for another one, so all have to be idle twice in a row.
    if (await allIdle()) {
      await pause(everyMs);
      if (await allIdle()) return;
    }
    await pause(everyMs);
  }
}
