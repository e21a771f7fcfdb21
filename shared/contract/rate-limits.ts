import type { RateClass } from './route.ts';

/** The classes of requests that are counted. */
export type CountedRateClass = Exclude<RateClass, 'none'>;

/** Requests that a window admits (OpenAPI, "Rate limits"). */
export const rateLimits = {
  token: { limit: 10, windowSeconds: 60 },
  write: { limit: 60, windowSeconds: 60 },
  download: { limit: 120, windowSeconds: 60 },
} as const satisfies Record<CountedRateClass, { readonly limit: number; readonly windowSeconds: number }>;
