import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { timestamp } from '../../shared/platform/contract/primitives.ts';

/** Identifies the content of a record: the same line of a file always has the same hash. */
export const hashOf = (record: object): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('hex');

/** A time of a stored record; none where it can't be read. */
export const readableTime = z.catch(z.optional(timestamp), undefined);

/** What an earlier import left of a record. */
interface Imported {
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  readonly recordHash?: string | undefined;
}

/** Whether a record is stored already: one whose times can't be read is written again. */
export const isStored = (record: object, before: Imported | undefined): boolean =>
  before?.recordHash === hashOf(record) && before.createdAt !== undefined && before.updatedAt !== undefined;
