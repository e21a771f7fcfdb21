import type { CalendarDate } from '#platform/dates/dates.ts';
import type { StatusKind } from '../registry/words.ts';

/**
 * Respect in which licenses, lines, or appointments differ, such as the company: its code and names as they compare, in the
 * order in which they count; null where a row has none.
 */
export interface IdentityPart {
  readonly names: readonly (string | null)[];
  /** Meaning of a row without any: unclear, or itself, as an appointment of all lines, or of the whole state, is. */
  readonly unnamed: 'unclear' | 'all lines' | 'whole state';
}

/** All parts; those of licenses, of lines, and of appointments each have their own. */
export type Identity = readonly IdentityPart[];

/** A row of a statement as its days depend on it: a license, a line of authority, or an appointment. */
export interface DatedRow {
  readonly identity: Identity;
  readonly status: StatusKind;
  readonly begins: CalendarDate | null;
  /** The day after its last day; `never` without one. */
  readonly ends: CalendarDate;
  /** Day since which it is as it says. */
  readonly since: CalendarDate | null;
  readonly isDeleted?: boolean;
  /** Beginning of the license that carries a line. */
  readonly notBefore?: CalendarDate;
  /** Lines of a license. */
  readonly lines?: readonly DatedRow[];
}

export const isLive = ({ status }: DatedRow): boolean => status === 'live';
export const isEnd = (row: DatedRow): boolean => !isLive(row) && row.status !== 'pending';

/** Statement of one source, at one moment, about the licenses or the appointments of one holder in one state. */
export interface Statement<Row extends DatedRow = DatedRow> {
  readonly id: string;
  /** ISO time in UTC, as `recordedAt`. */
  readonly at: string;
  readonly recordedAt: string;
  /** Absent where that is `recordedAt`. */
  readonly writtenAt?: string | undefined;
  /** The day of `at` in New York. */
  readonly knownOn: CalendarDate;
  readonly by: 'registry' | 'import';
  /** Whether what it does not name is not there. */
  readonly isComplete: boolean;
  readonly rows: readonly Row[];
}
