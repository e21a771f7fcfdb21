const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Delays from an attempt that failed to the next one, in milliseconds (OpenAPI, "Webhooks"). */
export const retryDelays: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** A retry comes up to this share of its delay later, never earlier, so that those of an outage spread. */
export const jitter = 0.1;

/** Attempts that a delivery remembers, its newest: two rounds, and some; well below an item's limit. */
export const rememberedAttempts = 2 * (retryDelays.length + 1) + 5;

/** Days within which a delivery that is begun has its last retry: what is kept for one follows from them. */
export const scheduleDays = Math.ceil(
  retryDelays.reduce((sum, delay) => sum + delay * (1 + jitter), 0) / (24 * hour),
);

/** Days of nothing but failures after which a webhook is disabled (OpenAPI, "Webhooks"): one event alone disables none. */
export const failingDays = scheduleDays + 1;
