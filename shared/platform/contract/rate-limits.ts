import type { RateClass } from './route.ts';

/** What requests are counted as: their class; the token endpoint's requests by their address alone as well. */
export type CountedRateClass = Exclude<RateClass, 'none'> | 'tokenAddress';

/** Requests that a window admits (OpenAPI, "Rate limits"). */
export const rateLimits = {
  token: { limit: 10, windowSeconds: 60 },
  tokenAddress: { limit: 600, windowSeconds: 60 },
  write: { limit: 60, windowSeconds: 60 },
  download: { limit: 120, windowSeconds: 60 },
} as const satisfies Record<CountedRateClass, { readonly limit: number; readonly windowSeconds: number }>;
