import { createHash } from 'node:crypto';

/** The shard of a text, from 0 to below `count`: always the same one, and about as many texts in each. */
export const shardAmong = (text: string, count: number): number =>
  createHash('sha256').update(text).digest().readUInt32BE() % count;
