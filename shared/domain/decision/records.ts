import type { CalendarDate } from '#platform/dates/dates.ts';
import type { LineRequirement } from './compliance-config.ts';
import type { ActionRow, AppointmentRow, LicenseRow } from './rows.ts';

// What is recorded of a holder, a producer or an agency by its NPN: what its sources stated, each at its moment, and nothing else.

/** The kinds of records that statements are about. */
export const recordKinds = ['license', 'appointment', 'regulatory action'] as const;

export type RecordKind = (typeof recordKinds)[number];

/** Source of a statement, and its times. Times are ISO 8601 in UTC, so they compare as texts. */
export interface Recording {
  /** The visit of the registry, or the command of an import. */
  readonly id: string;
  /** The moment that the statement is about: when the registry was asked; of an import, the day of its file. */
  readonly at: string;
  /** The moment from which it is known; `knownAt` is compared with it. Rows of one command have that of its beginning. */
  readonly recordedAt: string;
  /** Time of writing; absent where that is `recordedAt`. */
  readonly writtenAt?: string | undefined;
  readonly by: 'registry' | 'import';
}

/** A row, and when something was last recorded of what it is of: a list by that time misses none. */
export interface Recorded<Row> {
  readonly row: Row;
  /** ISO time in UTC. */
  readonly recordedAt: string;
}

/** Time from which a recording, or a statement, is there for readers. */
export const writtenAtOf = ({
  recordedAt,
  writtenAt = recordedAt,
}: Pick<Recording, 'recordedAt' | 'writtenAt'>): string =>
  // A repetition has its own time, and may have another one from the statement that it repeats.
  writtenAt > recordedAt ? writtenAt : recordedAt;

/** A row, or, of an import, that it never was in what was recorded before. */
export type StatedRow<Row> = Row & { readonly isDeleted?: boolean | undefined };

/** Statement of one source, at one moment, of the records of one kind of a holder in one state. */
export interface RecordedStatement<Row> extends Recording {
  readonly stateCode: string;
  /** Whether what it does not name is not there. */
  readonly isComplete: boolean;
  /** Whether a row of it could not be read: then it is not complete. */
  readonly isPartlyUnread: boolean;
  readonly rows: readonly StatedRow<Row>[];
  /** Later commands of an import that stated the same, one after another. */
  readonly repetitions?: readonly Pick<Recording, 'id' | 'at' | 'recordedAt' | 'writtenAt'>[] | undefined;
}

/** A row that could not be read; its state is null where even that could not: then it may be of any. */
export interface UnreadPlace {
  readonly kind: RecordKind;
  readonly stateCode: string | null;
}

/**
 * A report of the registry about a holder. Of each kind that it covers, it is a complete statement in every state: that which is
 * recorded under its id, else the same as the registry's statement before it, else an empty one.
 */
export interface RecordedReport extends Recording {
  readonly by: 'registry';
  /** Whether the registry knows the NPN. */
  readonly isFound: boolean;
  /** The kinds of records that it covers. */
  readonly kinds: readonly RecordKind[];
  /** Rows of it that could not be read, by which its statements of these kinds and states are partly unread. */
  readonly unread: readonly UnreadPlace[];
}

/** A day on which a party sold where the carrier appoints when it binds, with what that asked of its appointments. */
export interface SaleDay {
  readonly transactionId: string;
  readonly stateCode: string;
  readonly day: CalendarDate;
  readonly lines: readonly LineRequirement[];
  /** Code of the company that wrote it; absent where that was not clear. */
  readonly carrierNaicCode?: string | undefined;
}

/** Everything recorded of a holder, in any order. */
export interface HolderRecords<
  License extends LicenseRow = LicenseRow,
  Appointment extends AppointmentRow = AppointmentRow,
  Action extends ActionRow = ActionRow,
> {
  readonly licenses: readonly RecordedStatement<License>[];
  readonly appointments: readonly RecordedStatement<Appointment>[];
  readonly actions: readonly RecordedStatement<Action>[];
  readonly reports: readonly RecordedReport[];
  /** Sales that count for when an appointment is due. */
  readonly sales: readonly SaleDay[];
}

export const noRecords: HolderRecords<never, never, never> = {
  licenses: [],
  appointments: [],
  actions: [],
  reports: [],
  sales: [],
};
