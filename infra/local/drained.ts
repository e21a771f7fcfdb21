import { setTimeout as pause } from 'node:timers/promises';

/** Something through which events go. */
interface Stage {
  /** Whether nothing waits in it and nothing is under way. */
  idle(): Promise<boolean>;
}

const everyMs = 50;

/** Resolves when nothing waits in any of the stages, and nothing is under way. */
export async function drained(stages: readonly Stage[]): Promise<void> {
  const allIdle = async (): Promise<boolean> => {
    for (const stage of stages) if (!(await stage.idle())) return false;
    return true;
  };
  for (;;) {
    // One stage's work may make another's, so all have to be idle twice: before and after a moment.
    if (await allIdle()) {
      await pause(everyMs);
      if (await allIdle()) return;
    }
    await pause(everyMs);
  }
}
