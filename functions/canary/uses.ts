import type { FunctionUses } from '../../shared/domain/function-uses.ts';

/** It does what callers do, through the public address, and waits for the event that its write causes. */
export const uses = {
  // Six requests of up to ten seconds, and a minute for the event.
  timeoutSeconds: 120,
  schedules: { check: { everyMinutes: 5 } },
  canarySecret: true,
  settings: ['API_ADDRESS'],
} as const satisfies FunctionUses;
