import type { Issue } from '../../shared/contract/errors.ts';
import { refusalOf } from '../../shared/request/refusal.ts';

/** A line of an operator's file whose record was read. */
export interface ReadLine<Item> {
  /** Number in the file, from 1. */
  readonly line: number;
  readonly record: Item;
}

/** A line that was rejected, and why. */
export interface RejectedLine {
  readonly line: number;
  readonly issues: readonly Issue[];
}

/**
 * The issues of a line that can't be imported.
 * @throws errors that are not about the line: an unreachable database stops the whole chunk.
 */
export function issuesOf(error: unknown): readonly Issue[] {
  const refusal = refusalOf(error);
  if (refusal === undefined) throw error;
  return refusal.details?.issues ?? [{ path: '', message: refusal.message }];
}
