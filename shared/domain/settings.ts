import * as z from 'zod/mini';

export const yesOrNo = () => z.enum(['yes', 'no']);
export const number = () => z.pipe(z.string(), z.pipe(z.transform(Number), z.number().check(z.gt(0))));

/** What differs between environments and needs no permission. */
export const settings = {
  /** Address of the agencies' application, without a slash at its end. */
  AGENCY_APP_URL: () => z.url(),
  /** Whether scheduled work can be done as of a time that is still to come: days that are really swept early. */
  ALLOW_FUTURE_AS_OF: yesOrNo,
  /** Whether webhooks may point to this machine, over http too; in the local environment alone. */
  ALLOW_LOOPBACK_RECEIVERS: yesOrNo,
  /** The API's public address, as callers use it. */
  API_ADDRESS: () => z.url(),
  /** Deferred events that are released in a second, over all runs together. */
  DEFERRED_EVENTS_PER_SECOND: number,
  /** Calls of the registry for which the jobs of a night are queued at most, where it keeps lists of changes. */
  MOST_CALLS_A_NIGHT: number,
  /** Base address of the registry; `simulated` selects the built-in one. */
  REGISTRY_ADDRESS: () => z.string(),
  /** Polls of the registry in a second, of all functions together. */
  REGISTRY_POLLS_PER_SECOND: number,
  /** Whether customers rehearse in this environment, by routes that others do not have. */
  SANDBOX: yesOrNo,
  /** Where integrators get help. */
  SUPPORT_URL: () => z.url(),
};

/** A member of `settings` in a function's `uses.ts`. */
export type SettingName = keyof typeof settings;
