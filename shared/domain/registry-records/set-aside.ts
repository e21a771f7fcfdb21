import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { timestamp } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { expiresAfterDays } from '../../platform/dates/dates.ts';
import type { Log } from '../../platform/log/log.ts';
import { recordKinds } from '../decision/records.ts';
import { npn } from '../identifiers/identifiers.ts';
import type { RegistryReport, SetAsideRow } from '../registry/registry.ts';
import type { Holder } from './holder-records.ts';
import type { KeyedItem } from './stored-records.ts';

// What was written in rows that are set aside, for operators alone: it is personal data in whatever form, so it is kept for no
// longer than they need it, and never logged.

/** Days for which it is kept. */
const writtenKeptDays = 90;

/** Characters of what was written in a row. */
const mostWritten = 4_000;

/** What was written in a row that is set aside. */
export const setAsideRow = storedItem(
  'registry-records/set-aside-row',
  object(() => ({
    npn,
    kind: z.enum(recordKinds),
    stateCode: z.nullable(z.string()),
    setAsideAt: timestamp,
    /** Fields that cannot be read, separated by commas. */
    faults: z.string(),
    /** What was written in the fields that are ours, as JSON. */
    written: z.string(),
  })),
);

/** Logs that rows of an NPN are set aside, without what was written in them. */
export const logSetAside = (
  log: Log,
  of: string,
  rows: number,
  { setAside = [], nulled = [] }: Pick<RegistryReport, 'setAside' | 'nulled'>,
): void =>
  log.warn('Rows of the registry cannot be read and are set aside.', {
    event: 'rows_set_aside',
    npn: of,
    rows,
    faults: [...new Set(setAside.flatMap(({ faults }) => faults))],
    nulled,
  });

/** The partition of an owner's rows that are set aside, in the order of NPNs. */
export const setAsidePartition = (owner: string): string => `${owner}#SET-ASIDE`;

/** The items of rows that are set aside, each once. */
export const setAsideItems = (holder: Holder, rows: readonly SetAsideRow[], at: Date): KeyedItem[] => {
  const items = rows.map((row) => setAsideItem(holder, row, at));
  return [...new Map(items.map((item) => [item.sk, item])).values()];
};

/** The item of a row that is set aside; the same row has the same key, however often it comes. */
function setAsideItem(
  { owner, npn: holder }: Holder,
  { kind, stateCode, faults, written }: SetAsideRow,
  at: Date,
) {
  const text = JSON.stringify(written);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return {
    pk: setAsidePartition(owner),
    sk: `${holder}#${hash}`,
    npn: holder,
    kind,
    stateCode,
    setAsideAt: at.toISOString(),
    faults: faults.join(', ').slice(0, mostWritten),
    written: text.slice(0, mostWritten),
    expiresAt: expiresAfterDays(at, writtenKeptDays),
  };
}
