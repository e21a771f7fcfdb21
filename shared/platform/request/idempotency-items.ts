import * as z from 'zod/mini';
import { storedItem } from '../data/stored.ts';

/** The response in a record: encrypted, its first piece in the record and the others in separate items (`pieceKey`). */
export const storedResponse = storedItem('idempotency/response', () => ({
  status: z.int(),
  sealed: piece.shape.sealed,
  pieces: z.int(),
}));

/** A record, in terms of Powertools. */
export const storedRecord = storedItem('idempotency/record', () => ({
  status: z.enum(['INPROGRESS', 'COMPLETED']),
  /** Of the execution that began it. */
  lease: z.string(),
  /** By which requests are compared. */
  validation: z.string(),
  /** Unix seconds from which DynamoDB may delete it. */
  expiration: z.int(),
  /** Unix milliseconds until which no other execution may begin under the key: the end of the lease, then of the record. */
  takenUntil: z.int(),
  data: z.optional(storedResponse),
}));

export const piece = storedItem('idempotency/piece', () => ({
  pk: z.string(),
  sealed: z.instanceof(Uint8Array),
}));

export const pieceKey = (recordId: string, number: number) => ({ pk: `${recordId}#${number}` });
