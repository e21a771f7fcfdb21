/** The next `updatedSince` of a caller who follows a list. */
export const updatedUntilHeader = 'x-updated-until';

/** The next `recordedSince` of a caller who follows what is recorded of the registry. */
export const recordedUntilHeader = 'x-recorded-until';

/**
 * How far the next time lies before the start of its request. What was changed by then must be in the indexes: the
 * clocks of two functions differ by two seconds at most, a change is written within the 29 s of its request or, by a worker,
 * within some 20 s of repetitions (`repeatedForMs`) after its time was taken, and an index lags by less than a second.
 */
export const updatedUntilLagMs = 120_000;

const followedBy = (header: string) => (start: Date) => ({
  [header]: new Date(start.getTime() - updatedUntilLagMs).toISOString(),
});

/** The header for a request that starts at a time. */
export const updatedUntil = followedBy(updatedUntilHeader);

/** Likewise of what is recorded of the registry. */
export const recordedUntil = followedBy(recordedUntilHeader);
