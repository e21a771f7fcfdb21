// Ids, and texts as sort keys, apart from tables: nearly everything makes or orders some.
import { createHash, randomBytes } from 'node:crypto';
import { unicodePattern } from '../contract/primitives.ts';

/** A new 24-character identifier in MongoDB's ObjectId format: seconds first, so that ids sort by age. */
export const newObjectId = (now: Date): string =>
  Math.floor(now.getTime() / 1000)
    .toString(16)
    .padStart(8, '0') + randomBytes(8).toString('hex');

/** The identifier that belongs to these words: the same words always make the same one. */
export const derivedObjectId = (...words: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 24);

/** The shard of a text, from 0 to below `count`: always the same one, and about as many texts in each. */
export const shardAmong = (text: string, count: number): number =>
  createHash('sha256').update(text).digest().readUInt32BE() % count;

const marks = unicodePattern('\\p{M}', 'gu');

/**
 * A text as a sort key: without case and accents, and in ASCII, so that DynamoDB and this code order it alike. Texts
 * that become equal are distinguished by the record id that follows them.
 */
export const sortText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(marks(), '')
    .toLowerCase()
    .replace(/[^ -~]/g, '~')
    .slice(0, 200);

/** Orders texts as DynamoDB orders keys in ASCII, for `sort`: negative, 0, or positive. */
export const compare = (text: string, otherText: string): number =>
  text < otherText ? -1 : text > otherText ? 1 : 0;
