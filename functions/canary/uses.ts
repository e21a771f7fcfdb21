import type { FunctionUses } from '../../shared/domain/function-uses.ts';

/** It does what callers do, through the public address, and waits for the event that its write causes. */
export const uses = {
  // Six requests of up to ten seconds, and a minute for the event.
  timeoutSeconds: 120,
  // A new version has a tenth of the requests for five minutes: a run or two would hardly meet it.
  schedules: { check: { everyMinutes: 1 } },
  canarySecret: true,
  settings: ['API_ADDRESS'],
} as const satisfies FunctionUses;
