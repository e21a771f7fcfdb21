import { compare } from '../../platform/data/compare.ts';
import { groupBy } from '../../platform/data/group-by.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { always, knownOn, never, writtenDate } from './dates.ts';
import { type Fact, inFixedOrder, isSameSet, type LicenseRow, licenseKey, type Presence } from './facts.ts';

/** Whether the registry reports a license or a line of authority as in force, in any case. */
export const isActive = ({ status }: { readonly status: string }): boolean =>
  status.trim().toLowerCase() === 'active';

/** The last day on which a license is valid unless it is renewed; `never` without one. */
export function ownEndOf({
  nextRenewalDate,
  expirationDate,
}: Pick<LicenseRow, 'nextRenewalDate' | 'expirationDate'>): CalendarDate {
  const renewal = nextRenewalDate === null ? never : writtenDate(nextRenewalDate);
  const expiration = expirationDate === null ? never : writtenDate(expirationDate);
  return renewal < expiration ? renewal : expiration;
}

export type StatedFact<Row> = Fact<Row> & { readonly what: 'stated' };

/** What is recorded of a term, without what was retracted. */
export interface TermHistory<Row> extends Presence {
  /** The license that it is a term of. */
  readonly license: string;
  readonly begins: CalendarDate;
  /** In the order of their commands. */
  readonly stated: readonly StatedFact<Row>[];
}

/** Reads the facts of a term, in the order of their commands. */
export function historyOf<Row extends LicenseRow>(facts: readonly Fact<Row>[]): TermHistory<Row> | undefined {
  const counting = facts.slice(facts.findLastIndex(({ what }) => what === 'retracted') + 1);
  const stated = counting.filter((fact) => fact.what === 'stated');
  const [row] = stated[0]?.rows ?? [];
  if (row === undefined) return undefined;
  const begins = row.issueDate === null ? always : writtenDate(row.issueDate);
  return { license: licenseKey(row), begins, stated, presence: presenceOf(counting) };
}

/**
 * Whether a term is stated, fact by fact. After a list left it out, what an import says of a day before that list is history, and
 * no return.
 */
function presenceOf(facts: readonly Fact<LicenseRow>[]): Presence['presence'] {
  let leftOutOn: CalendarDate | undefined;
  return facts.map((fact) => {
    if (fact.what === 'left out') leftOutOn ??= knownOn(fact.commandAt);
    else if (fact.what === 'stated' && (fact.validFrom ?? never) >= (leftOutOn ?? always))
      leftOutOn = undefined;
    return { commandAt: fact.commandAt, isPresent: leftOutOn === undefined };
  });
}

/** What the rows of one command come to: the live ones count, to the latest end, with the lines of all of them. */
export interface Version<Row> {
  readonly commandId: string;
  readonly commandAt: string;
  readonly rows: readonly Row[];
  /** The day on which it became known. */
  readonly day: CalendarDate;
  readonly isLive: boolean;
  readonly row: Row;
  readonly ownEnd: CalendarDate;
  /** Whether a line of authority is active, by code. */
  readonly lines: ReadonlyMap<string, boolean>;
  /** Whether an import gave the day from which it speaks. */
  readonly isGiven: boolean;
}

function versionOf<Row extends LicenseRow>(
  { commandId, commandAt }: StatedFact<Row>,
  rows: readonly Row[],
  isGiven: boolean,
): Version<Row> {
  const live = rows.filter(isActive);
  const counting = live.length === 0 ? rows : live;
  const row = counting.reduce((best, one) => (ownEndOf(one) > ownEndOf(best) ? one : best));
  const lines = new Map<string, boolean>();
  for (const { linesOfAuthority } of counting) {
    for (const line of linesOfAuthority) {
      lines.set(line.code, isActive(line) || lines.get(line.code) === true);
    }
  }
  const isLive = live.length > 0;
  const day = knownOn(commandAt);
  return { commandId, commandAt, rows, day, isLive, row, ownEnd: ownEndOf(row), lines, isGiven };
}

/** Whether two versions state the same. Most differ in what is known of them already: to compare rows takes far longer. */
const isRepeated = <Row extends LicenseRow>(one: Version<Row>, other: Version<Row>): boolean =>
  one.ownEnd === other.ownEnd && one.isLive === other.isLive && isSameSet(one.rows, other.rows);

/** The versions that speak from the same day: each replaces the one before it, the last one counts. */
export interface Period<Row> {
  readonly from: CalendarDate;
  readonly versions: [Version<Row>, ...Version<Row>[]];
}

/** The versions that speak on a day. */
const spokenOn = <Row>(periods: readonly Period<Row>[], day: CalendarDate): Period<Row> | undefined =>
  periods.findLast(({ from }) => from <= day);

/**
 * The versions of a term by the day from which they speak, which for one without a `validFrom` is that of the version it
 * follows: the one that spoke when it became known. What repeats the version that it would replace is none, unless a list left
 * the term out between them: an import that states several versions is recorded as a whole.
 */
export function periodsOf<Row extends LicenseRow>({
  begins,
  stated,
  presence,
}: TermHistory<Row>): Period<Row>[] {
  const periods: Period<Row>[] = [];
  for (const command of commandsOf(stated)) {
    const startOf = (fact: StatedFact<Row>): CalendarDate =>
      fact.validFrom ?? spokenOn(periods, knownOn(fact.commandAt))?.from ?? begins;
    const isPresent = presence.findLast((one) => one.commandAt < command[0].commandAt)?.isPresent;
    // Where they speak is decided by earlier commands, so before any of this one counts.
    // Nearly every command states one version, and a map for each would take a tenth of the decision.
    const byStart =
      command.length === 1 ? [[startOf(command[0]), command] as const] : groupBy(command, startOf);
    for (const [from, facts] of byStart) {
      const [fact, ...more] = facts;
      if (fact === undefined) continue;
      const rows = inFixedOrder(more.length === 0 ? fact.rows : facts.flatMap((one) => one.rows));
      if (rows.length === 0) continue;
      const version = versionOf(
        fact,
        rows,
        facts.some(({ validFrom }) => validFrom !== null),
      );
      const period = periods.find((one) => one.from === from);
      const replaced = period?.versions.at(-1);
      if (isPresent === true && replaced !== undefined && isRepeated(version, replaced)) continue;
      if (period !== undefined) period.versions.push(version);
      else {
        periods.push({ from, versions: [version] });
        periods.sort((one, other) => compare(one.from, other.from));
      }
    }
  }
  return periods;
}

/** Facts, which are in the order of their commands, command by command. */
function commandsOf<Row>(facts: readonly StatedFact<Row>[]): [StatedFact<Row>, ...StatedFact<Row>[]][] {
  const commands: [StatedFact<Row>, ...StatedFact<Row>[]][] = [];
  let last: StatedFact<Row> | undefined;
  for (const fact of facts) {
    if (last?.commandAt === fact.commandAt && last.commandId === fact.commandId) commands.at(-1)?.push(fact);
    else commands.push([fact]);
    last = fact;
  }
  return commands;
}

/**
 * The rows that count among the facts of a term, in the order of their commands: those that speak from `validFrom`, or without
 * one those that speak on a day. Undefined where there are none, or a list left the term out.
 */
export function statementInForce<Row extends LicenseRow>(
  facts: readonly Fact<Row>[],
  validFrom: CalendarDate | null,
  day: CalendarDate,
): { readonly rows: readonly Row[] } | undefined {
  const history = historyOf(facts);
  if (history?.presence.at(-1)?.isPresent !== true) return undefined;
  const periods = periodsOf(history);
  const start = validFrom ?? spokenOn(periods, day)?.from ?? history.begins;
  return periods.find(({ from }) => from === start)?.versions.at(-1);
}

/** Versions of a term in the order of their commands. */
export function versionsOf<Row>(periods: readonly Period<Row>[]): readonly Version<Row>[] {
  const [first, ...others] = periods;
  if (first !== undefined && others.length === 0) return first.versions;
  return periods
    .flatMap(({ versions }) => versions)
    .sort((one, other) => compare(one.commandAt, other.commandAt));
}

/** The own end of a version; that of the last live version before it for one that is not live and names none. */
export function statedEnd<Row>(version: Version<Row>, all: readonly Version<Row>[]): CalendarDate {
  if (version.isLive || version.ownEnd !== never) return version.ownEnd;
  return all.findLast(({ isLive, commandAt }) => isLive && commandAt < version.commandAt)?.ownEnd ?? never;
}
