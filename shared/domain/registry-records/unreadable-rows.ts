import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { timestamp } from '#platform/contract/primitives.ts';
import { storedItem } from '#platform/data/stored.ts';
import { expiresAfterDays } from '#platform/dates/dates.ts';
import type { Log } from '#platform/log/log.ts';
import { recordKinds } from '../decision/records.ts';
import { npn } from '../identifiers/identifiers.ts';
import type { RegistryReport, UnreadableRow } from '../registry/registry.ts';
import type { Holder } from './holder-records.ts';
import type { KeyedItem } from './stored-records.ts';

// What was written in unreadable rows, for operators alone: it is personal data in whatever form, so it is kept for no
// longer than they need it, and never logged.

/** Days for which it is kept. */
const writtenKeptDays = 90;

/** Characters of what was written in a row. */
const mostWritten = 4_000;

/** An unreadable row as it was written. */
export const unreadableRow = storedItem('registry-records/unreadable-row', {
  npn,
  kind: z.enum(recordKinds),
  stateCode: z.nullable(z.string()),
  readAt: timestamp,
  /** Fields that cannot be read, separated by commas. */
  faults: z.string(),
  /** Values as written in the fields that are ours, as JSON. */
  written: z.string(),
});

/** Logs that rows of an NPN cannot be read, without what was written in them. */
export const logUnreadable = (
  log: Log,
  holder: string,
  rows: number,
  { unreadable = [] }: Pick<RegistryReport, 'unreadable'>,
): void =>
  log.warn('Rows of the registry cannot be read.', {
    event: 'rows_unreadable',
    npn: holder,
    rows,
    faults: [...new Set(unreadable.flatMap(({ faults }) => faults))],
  });

/** The partition of an owner's unreadable rows, in the order of NPNs. */
export const unreadablePartition = (owner: string): string => `${owner}#UNREADABLE`;

/** The items of unreadable rows, each once; the same row has the same key, however often it comes. */
export function unreadableItems(
  { owner, npn: holder }: Holder,
  rows: readonly UnreadableRow[],
  time: Date,
): KeyedItem[] {
  const items = rows.map(({ kind, stateCode, faults, written }) => {
    const text = JSON.stringify(written);
    return {
      pk: unreadablePartition(owner),
      sk: `${holder}#${createHash('sha256').update(text).digest('hex').slice(0, 16)}`,
      npn: holder,
      kind,
      stateCode,
      readAt: time.toISOString(),
      faults: faults.join(', ').slice(0, mostWritten),
      written: text.slice(0, mostWritten),
      expiresAt: expiresAfterDays(time, writtenKeptDays),
    };
  });
  return [...new Map(items.map((item) => [item.sk, item])).values()];
}
