import { createHash, randomBytes } from 'node:crypto';

/** A new 24-character identifier in MongoDB's ObjectId format: seconds first, so that ids sort by age. */
export const newObjectId = (now: Date): string =>
  Math.floor(now.getTime() / 1000)
    .toString(16)
    .padStart(8, '0') + randomBytes(8).toString('hex');

/** The identifier that belongs to these words: the same words always make the same one. */
export const derivedObjectId = (...words: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 24);
