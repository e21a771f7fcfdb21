import { createHash } from 'node:crypto';

/** Identifies the content of a record: the same line of a file always has the same hash. */
export const hashOf = (record: object): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('hex');
