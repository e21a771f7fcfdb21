import { compare } from '#platform/data/keys.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import type { Appointment, License, RegulatoryAction } from '../registry/resources.ts';
import type { LineRequirement } from './compliance-config.ts';

/** Members of our own in a record, which no source states. */
const ownMembers = ['registryDataSubscriptionId', 'npn', 'updatedAt', 'createdAt', '_id'] as const;

type OwnMember = (typeof ownMembers)[number];

/** A license as the decision reads it; dates are ISO 8601, of which the written calendar date counts. */
export type LicenseRow = Omit<License, OwnMember | 'linesOfAuthority'> & {
  readonly linesOfAuthority: readonly LineRow[];
};

/** A line of authority that a license carries; one of which only the name is known has the code ''. */
export type LineRow = License['linesOfAuthority'][number];

/** A status change of an appointment as the decision reads it. */
export type AppointmentRow = Omit<Appointment, OwnMember | 'appointerStateCoId'>;

/** A regulatory action as the decision reads it. */
export type ActionRow = Pick<
  RegulatoryAction,
  | 'stateCode'
  | 'actionId'
  | 'disposition'
  | 'dateOfAction'
  | 'effectiveDate'
  | 'enterDate'
  | 'lengthOfOrderInDays'
>;

/** Whether two rows state the same, whatever is our own in them. */
export const isSameRow = (row: object, otherRow: object): boolean =>
  row === otherRow || contentOf(row) === contentOf(otherRow);

/** Each row once, in an order that depends on what they state alone. */
export function distinctRows<Row extends object>(rows: readonly Row[]): readonly Row[] {
  const rowsByContent = new Map(rows.toReversed().map((row) => [contentOf(row), row] as const));
  return [...rowsByContent].toSorted(([one], [other]) => compare(one, other)).map(([, row]) => row);
}

/** A text that two rows share only if they state the same, whatever is our own in them. */
export const contentOf = (row: object): string => textOf(row, ownMemberNames);

const ownMemberNames: ReadonlySet<string> = new Set(ownMembers);
const noMembers: ReadonlySet<string> = new Set();

/** A value as a text, whatever the order of members, and of lines in a list. */
function textOf(value: unknown, omittedNames = noMembers): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value))
    return `[${value
      .map((one) => textOf(one))
      .sort()
      .join()}]`;
  let text = '';
  for (const name of Object.keys(value).sort()) {
    const member: unknown = Reflect.get(value, name);
    if (member !== undefined && !omittedNames.has(name)) text += `"${name}":${textOf(member)},`;
  }
  return `{${text}}`;
}

/** Whether two lists of rows state the same, in any order. */
export const statesTheSame = (rows: readonly object[], otherRows: readonly object[]): boolean =>
  new Set(rows.map(contentOf)).symmetricDifference(new Set(otherRows.map(contentOf))).size === 0;

// What is recorded of a holder, a producer or an agency by its NPN: what its sources stated, each at its moment, and nothing else.

/** The kinds of records that statements are about. */
export const recordKinds = ['license', 'appointment', 'regulatory action'] as const;

export type RecordKind = (typeof recordKinds)[number];

/** The rows of each kind. */
export interface RowsOfKinds {
  readonly license: LicenseRow;
  readonly appointment: AppointmentRow;
  readonly 'regulatory action': ActionRow;
}

/** A row of any kind. */
export type RowOf<Rows extends RowsOfKinds> = { [Kind in RecordKind]: Rows[Kind] }[RecordKind];

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
export interface RecordedStatement<Row = unknown> extends Recording {
  readonly kind: RecordKind;
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
export interface HolderRecords<Rows extends RowsOfKinds = RowsOfKinds, Sale extends SaleDay = SaleDay> {
  readonly statements: readonly RecordedStatement<RowOf<Rows>>[];
  readonly reports: readonly RecordedReport[];
  /** Sales that count for when an appointment is due. */
  readonly sales: readonly Sale[];
}

export const noRecords = { statements: [], reports: [], sales: [] } as const satisfies HolderRecords;
