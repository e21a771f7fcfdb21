import type { Issue } from '../../shared/errors/issue.ts';
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
 * Imports lines one after another; those that can't be imported are added to `rejected`.
 * @throws errors that are not about a line; see `issuesOf`.
 */
export async function importInOrder<Item>(
  lines: readonly ReadLine<Item>[],
  rejected: RejectedLine[],
  importRecord: (record: Item) => Promise<void>,
  issuesFor = issuesOf,
): Promise<void> {
  for (const { line, record } of lines) {
    try {
      await importRecord(record);
    } catch (error) {
      rejected.push({ line, issues: issuesFor(error) });
    }
  }
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
