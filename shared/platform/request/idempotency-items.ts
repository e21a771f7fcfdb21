import * as z from 'zod/mini';
import { storedItem } from '../data/stored.ts';

/** Names of a record's attributes: Powertools' defaults. */
export const attributes = {
  keyAttr: 'id',
  statusAttr: 'status',
  expiryAttr: 'expiration',
  inProgressExpiryAttr: 'in_progress_expiration',
  dataAttr: 'data',
  validationKeyAttr: 'validation',
} as const;

/** The response in a record: encrypted, its first piece in the record and the others in separate items (`pieceId`). */
export const storedResponse = storedItem('idempotency/response', () => ({
  status: z.int(),
  sealed: piece.shape.sealed,
  pieces: z.int(),
}));

export const piece = storedItem('idempotency/piece', () => ({
  id: z.string(),
  sealed: z.instanceof(Uint8Array),
}));

export const pieceId = (recordId: string, number: number): string => `${recordId}#${number}`;
