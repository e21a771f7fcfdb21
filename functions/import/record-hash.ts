import { createHash } from 'node:crypto';

/** Names what a record says: the same line of a file always has the same one. */
export const hashOf = (record: object): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('hex');
