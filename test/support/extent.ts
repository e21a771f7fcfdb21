// How much a test tries. `npm test` tries a part, the same each time; `npm run test:long` sets `LONG` and tries all.

/** Of two extents the one that is tried: the first by `npm test`, the second by `npm run test:long`. */
export const inShort = <Extent>(short: Extent, long: Extent): Extent =>
  process.env['LONG'] === undefined ? short : long;

/** How often fast-check tries a property: the same cases each time, or others each time, ten times as many unless it is said. */
export const runs = (short: number, long = 10 * short) =>
  inShort({ numRuns: short, seed: 1 }, { numRuns: long });
