import type { FunctionUses } from '#function/uses.ts';

/** Resources of the canary, which calls the API through the public address, as callers do. */
export const uses = {
  // Two requests of up to ten seconds, and the secret.
  timeoutSeconds: 30,
  // A new version has a tenth of the requests for five minutes: a run or two would hardly meet it.
  schedules: { check: { everyMinutes: 1 } },
  canarySecret: true,
  settings: ['API_ADDRESS'],
} as const satisfies FunctionUses;
