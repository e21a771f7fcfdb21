import { comparableCode as comparableText, unicodePattern } from '../../platform/contract/primitives.ts';
import { remembered } from '../../platform/data/caches.ts';
import { isDeepStrictEqual } from '../../platform/data/json.ts';
import { compare } from '../../platform/data/keys.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import type { UnreadRow } from '../registry/registry.ts';
import type { Appointment, License, RegulatoryAction } from '../registry/resources.ts';
import type { LineRequirement } from './compliance-config.ts';
import { knownOn, never, writtenDate } from './dates.ts';

/** A license as the decision reads it; dates are ISO 8601, of which the written calendar date counts. */
export type LicenseRow = Pick<
  License,
  | 'stateCode'
  | 'licenseNumber'
  | 'licenseClassCode'
  | 'licenseClassName'
  | 'status'
  | 'statusReason'
  | 'statusDate'
  | 'residencyStatus'
  | 'issueDate'
  | 'nextRenewalDate'
  | 'expirationDate'
> & { readonly linesOfAuthority: readonly LineRow[] };

/** A line of authority that a license carries; one of which only the name is known has the code ''. */
export type LineRow = License['linesOfAuthority'][number];

/** A status change of an appointment as the decision reads it. */
export type AppointmentRow = Pick<
  Appointment,
  | 'stateCode'
  | 'carrierName'
  | 'ein'
  | 'companyCode'
  | 'lineOfAuthorityName'
  | 'lineOfAuthorityCode'
  | 'status'
  | 'terminationReason'
  | 'statusChangeDate'
  | 'renewalDate'
  | 'countyName'
  | 'countyCode'
  | 'effectiveDate'
>;

/** A regulatory action as the decision reads it. */
export type ActionRow = Pick<
  RegulatoryAction,
  'disposition' | 'dateOfAction' | 'effectiveDate' | 'enterDate' | 'lengthOfOrderInDays'
>;

/** Which command recorded something, and when. Times are ISO 8601 in UTC, so they compare as texts. */
export interface Recording {
  /** An import command or a visit of the registry. */
  readonly commandId: string;
  /** The first two are visits of the registry. */
  readonly by: 'synchronization' | 'reconciliation' | 'import';
  /** One for the whole command: orders commands, and dates what became known. */
  readonly commandAt: string;
  /** The moment of the write; `knownAt` is compared with it. */
  readonly recordedAt: string;
}

/** What a command stated, or a complete list left out. */
export type Fact<Row> = Recording & {
  readonly stateCode: string;
  /** What the command speaks of: a term of a license, or a status change of an appointment (`termKey`, `changeKey`). */
  readonly key: string;
} & (
    | {
        readonly what: 'stated';
        readonly rows: readonly Row[];
        /** The first day for which an import says so; null where it, or the registry, says none. */
        readonly validFrom: CalendarDate | null;
      }
    /** A list that was complete did not name it. */
    | { readonly what: 'left out' }
    /** An import said that it never was. */
    | { readonly what: 'retracted' }
  );

/** What a command stated of a regulatory action. */
export type ActionFact = Recording & { readonly stateCode: string; readonly actionId: string } & (
    | { readonly what: 'stated'; readonly action: ActionRow }
    | { readonly what: 'retracted' }
  );

/** A day on which a party sold where the carrier appoints when it binds, with what that asked of its appointments. */
export interface SaleDay {
  readonly day: CalendarDate;
  readonly lines: readonly LineRequirement[];
  /** Of the company that wrote it; absent where that was not clear. */
  readonly carrierNaicCode?: string | undefined;
}

/** What an import said of a sale by a party, where the carrier appoints when it binds. */
export type SaleFact = Recording & { readonly stateCode: string; readonly transactionId: string } & (
    | (SaleDay & { readonly what: 'stated' })
    | { readonly what: 'retracted' }
  );

export const listKinds = ['license', 'appointment'] as const;

export type ListKind = (typeof listKinds)[number];

/** A complete list of a state is recorded as a whole: what it leaves out counts from now on. */
export interface Closing extends Recording {
  readonly stateCode: string;
  readonly kind: ListKind;
}

/**
 * A row that could not be read, and so was set aside whole: until the next closing of its state and kind, or until a later
 * import states its number or company.
 */
export type Unread = Recording & UnreadRow;

/** Whether a row that is set aside is one that was: it says the same. */
export const isSameUnread = (known: Unread, row: UnreadRow): boolean =>
  Object.entries(row).every(
    ([name, value]) => value === new Map<string, unknown>(Object.entries(known)).get(name),
  );

/** Everything recorded of a holder: a producer or an agency, by NPN. In any order. */
export interface HolderFacts<
  License extends LicenseRow = LicenseRow,
  Appointment extends AppointmentRow = AppointmentRow,
> {
  readonly licenses: readonly Fact<License>[];
  readonly appointments: readonly Fact<Appointment>[];
  readonly closings: readonly Closing[];
  readonly actions: readonly ActionFact[];
  readonly unread: readonly Unread[];
  /** Visits at which the registry did not find the NPN. */
  readonly notFound: readonly Recording[];
  /** Absent where there are none. */
  readonly sales?: readonly SaleFact[];
}

export const noFacts: HolderFacts<never, never> = {
  licenses: [],
  appointments: [],
  closings: [],
  actions: [],
  unread: [],
  notFound: [],
};

const joined = (...parts: readonly (string | null)[]): string => parts.map((part) => part ?? '').join('#');

const notInNumbers = unicodePattern('[^\\p{L}\\p{N}]+', 'gu');

/** A number as it is compared: its letters and digits, without case and leading zeros. */
export const comparableNumber = remembered((written) =>
  written.replaceAll(notInNumbers(), '').toLowerCase().replace(/^0+/, ''),
);

/** A code of a class or of a line as it is compared; empty where there is none. */
export const comparableCode = (code: string | null): string => (code === null ? '' : codeOf(code));

const codeOf = remembered(comparableText);

/** A name as it is compared; empty where there is none. */
export const comparable = (written: string | null): string => (written ?? '').trim().toLowerCase();

/**
 * The license that a row is of, as far as the row itself says: by its class code, else the name of its class. Which license one
 * without a code is of depends on the others, so the rows of one may have several of these keys.
 */
export function licenseKey({
  licenseNumber,
  licenseClassCode,
  licenseClassName,
}: Pick<LicenseRow, 'licenseNumber' | 'licenseClassCode' | 'licenseClassName'>): string {
  const code = comparableCode(licenseClassCode);
  const name = code === '' ? comparable(licenseClassName) : '';
  return joined(comparableNumber(licenseNumber), code, ...(name === '' ? [] : [name]));
}

/** The term that a row is of, as far as the row itself says. */
export const termKey = (row: LicenseRow): string =>
  joined(licenseKey(row), row.issueDate === null ? null : writtenDate(row.issueDate));

export const comparableLineName = (name: string | null): string => (name ?? '').trim().toLowerCase();

/** Our own members of a record, which no source states. */
const ownMembers = new Set(['registryDataSubscriptionId', 'npn', 'updatedAt', 'createdAt']);

/** What a source states of a row. */
export const statedMembers = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !ownMembers.has(name)));

/** Whether two rows state the same, whatever is our own in them. */
export const isSameRow = (one: object, other: object): boolean =>
  isDeepStrictEqual(statedMembers(one), statedMembers(other));

/** The rows of one list that another one lacks. */
export const missingIn = <Row extends object>(rows: readonly Row[], others: readonly Row[]): Row[] =>
  rows.filter((row) => !others.some((other) => isSameRow(row, other)));

/** Whether two lists state the same. */
export const isSameSet = <Row extends object>(rows: readonly Row[], others: readonly Row[]): boolean =>
  missingIn(rows, others).length + missingIn(others, rows).length === 0;

/** Each row once. */
export const distinct = <Row extends object>(rows: readonly Row[]): Row[] =>
  rows.filter((row, index) => rows.findIndex((other) => isSameRow(row, other)) === index);

/** Rows that state different things in the same order, whatever the order in which they were stated. */
export function inFixedOrder<Row extends object>(rows: readonly Row[]): readonly Row[] {
  if (rows.length < 2) return rows;
  const contentOf = (row: Row): string =>
    JSON.stringify(Object.entries(statedMembers(row)).sort(([one], [other]) => compare(one, other)));
  return rows.toSorted((one, other) => compare(contentOf(one), contentOf(other)));
}

const inSequence = (one: Recording, other: Recording): number =>
  compare(one.commandAt, other.commandAt) ||
  compare(one.commandId, other.commandId) ||
  rankOf(one) - rankOf(other) ||
  compare(one.recordedAt, other.recordedAt);

/** Facts in the order of their commands, in which most are already: to see that takes less than to sort them. */
export const inOrder = <One extends Recording>(facts: readonly One[]): readonly One[] => {
  const isInOrder = facts.every((fact, index) => {
    const before = facts[index - 1];
    return before === undefined || inSequence(before, fact) <= 0;
  });
  return isInOrder ? facts : facts.toSorted(inSequence);
};

/** What a command retracts is void, also what it stated itself. */
const rankOf = (one: Recording & { readonly what?: string }): number => (one.what === 'retracted' ? 1 : 0);

/** Facts in the order of their commands, without those recorded after a moment. */
export const knownBy = <One extends Recording>(facts: readonly One[], knownAt: string): readonly One[] =>
  inOrder(facts.filter(({ recordedAt }) => recordedAt <= knownAt));

/** Facts of a kind, without what a list left out that is not complete. */
export function counting<Row>(
  kind: ListKind,
  facts: readonly Fact<Row>[],
  closings: readonly Closing[],
): Fact<Row>[] {
  const lists = closings.filter((list) => list.kind === kind);
  const complete = new Set(lists.map(({ stateCode, commandId }) => `${stateCode} ${commandId}`));
  return facts.filter(
    ({ what, stateCode, commandId }) => what !== 'left out' || complete.has(`${stateCode} ${commandId}`),
  );
}

/** The rows of facts, whatever became of them. */
export const rowsOf = <Row>(facts: readonly Fact<Row>[]): readonly Row[] =>
  facts.flatMap((fact) => (fact.what === 'stated' ? fact.rows : []));

/** Whether something is stated, by the time of each command that changed it. */
export interface Presence {
  readonly presence: readonly { readonly commandAt: string; readonly isPresent: boolean }[];
}

export const isPresentAt = ({ presence }: Presence, commandAt: string): boolean =>
  presence.findLast((one) => one.commandAt <= commandAt)?.isPresent === true;

/** Days within which what a list left out must be back to have never been gone. */
export const daysOfAbsence = 30;

/** The first day from which something is known: the day of its first command, or an earlier one that an import gave. */
export function recordedFromOf<Row>(facts: readonly Fact<Row>[]): CalendarDate {
  return facts.reduce((first, fact) => {
    if (fact.what !== 'stated') return first;
    const known = knownOn(fact.commandAt);
    const day = fact.validFrom !== null && fact.validFrom < known ? fact.validFrom : known;
    return day < first ? day : first;
  }, never);
}
