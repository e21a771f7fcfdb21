/** The hour in New York at which the license sweep begins, after the one that daylight saving time skips or repeats. */
export const sweepHour = 5;

/**
 * The hour of the evening before at which the registry reconciliation begins. What the sweep reports must have been polled
 * by then: at an environment's polls a second, eight hours are enough for a million NPNs, and far
 * more than enough for those with a license at a boundary, which come first.
 */
export const reconciliationHour = 21;
