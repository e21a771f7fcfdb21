import { compare } from '../../platform/data/keys.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import { type StatusKind, statusKindOf, statusWords } from '../registry/words.ts';
import { always, type Days, dayBefore, knownOn, never, writtenDate } from './dates.ts';
import {
  type Closing,
  type Fact,
  inFixedOrder,
  inOrder,
  isPresentAt,
  isSameSet,
  type LicenseRow,
  type LineRow,
  type Presence,
  type Recording,
  rowsOf,
} from './facts.ts';
import { isLive, type KeyFacts } from './license-identity.ts';

const dateOf = (written: string | null): CalendarDate => (written === null ? never : writtenDate(written));

/** The last day on which a license is valid unless it is renewed; `never` without one. */
export function ownEndOf({
  nextRenewalDate,
  expirationDate,
}: Pick<LicenseRow, 'nextRenewalDate' | 'expirationDate'>): CalendarDate {
  const [renewal, expiration] = [dateOf(nextRenewalDate), dateOf(expirationDate)];
  return renewal < expiration ? renewal : expiration;
}

/** The first day of the term of a row; `always` where it names none. */
export const beginsOf = ({ issueDate }: Pick<LicenseRow, 'issueDate'>): CalendarDate =>
  issueDate === null ? always : writtenDate(issueDate);

export type StatedFact<Row> = Fact<Row> & { readonly what: 'stated' };

/** What is recorded of a term, without what was retracted. */
export interface TermHistory<Row> extends Presence {
  readonly begins: CalendarDate;
  /** In the order of their commands. */
  readonly stated: readonly StatedFact<Row>[];
}

/** The facts of a key without those that an import retracted; undefined where none is left. */
export function keyFactsOf<Row extends LicenseRow>(all: readonly Fact<Row>[]): KeyFacts<Row> | undefined {
  const retracted = all.findLastIndex(({ what }) => what === 'retracted');
  const facts = retracted < 0 ? all : all.slice(retracted + 1);
  const stated = facts.find((fact) => fact.what === 'stated');
  const [row] = stated?.rows ?? [];
  return row && { row, facts };
}

/** Reads what is recorded of a term, under all of its keys. */
export function historyOf<Row extends LicenseRow>(
  begins: CalendarDate,
  keys: readonly KeyFacts<Row>[],
  closings: readonly Closing[],
): TermHistory<Row> {
  const [only, ...others] = keys;
  const facts = only !== undefined && others.length === 0 ? only.facts : ofAllKeys(keys, closings);
  return { begins, stated: facts.filter((fact) => fact.what === 'stated'), presence: presenceOf(facts) };
}

/** The facts of several keys as those of one: a complete list states all that it does not leave out. */
function ofAllKeys<Row extends LicenseRow>(
  keys: readonly KeyFacts<Row>[],
  closings: readonly Closing[],
): readonly Fact<Row>[] {
  const ofKeys = keys.map(({ facts }) => ({ facts, presence: presenceOf(facts) }));
  const [first, ...facts] = inOrder(ofKeys.flatMap((one) => one.facts));
  if (first === undefined) return [];
  const lists = new Map(closings.map((list) => [list.commandId, list]));
  const ofImports = [first, ...facts].filter(({ commandId }) => !lists.has(commandId));
  const ofLists = Array.from(lists.values(), (list): Fact<Row>[] => {
    if (list.commandAt < first.commandAt) return [];
    const { stateCode, key } = first;
    const present = ofKeys.filter((one) => isPresentAt(one, list.commandAt));
    const rows = present.flatMap((one) => {
      const known = one.facts.filter((fact) => fact.commandAt <= list.commandAt);
      return statementInForce(known, null, knownOn(list.commandAt))?.rows ?? [];
    });
    const { commandId, commandAt, recordedAt, by } = list;
    const fact = { stateCode, key, commandId, commandAt, recordedAt, by };
    return [
      rows.length === 0 ? { ...fact, what: 'left out' } : { ...fact, what: 'stated', rows, validFrom: null },
    ];
  });
  return inOrder([...ofImports, ...ofLists.flat()]);
}

/**
 * Whether a term is stated, as it changed. After a list left it out, what an import says of a day before that list is history, and
 * no return.
 */
export function presenceOf(facts: readonly Fact<LicenseRow>[]): Presence['presence'] {
  const [first] = facts;
  if (first !== undefined && facts.every(({ what }) => what === 'stated')) {
    return [{ commandAt: first.commandAt, isPresent: true }];
  }
  let leftOutOn: CalendarDate | undefined;
  return facts.map((fact) => {
    if (fact.what === 'left out') leftOutOn ??= knownOn(fact.commandAt);
    else if (fact.what === 'stated' && (fact.validFrom ?? never) >= (leftOutOn ?? always))
      leftOutOn = undefined;
    return { commandAt: fact.commandAt, isPresent: leftOutOn === undefined };
  });
}

/** What is said of whether a license or a line of authority is in force. */
export interface Saying {
  readonly kind: StatusKind;
  /** The day on which it became known. */
  readonly day: CalendarDate;
  readonly statusDate: CalendarDate | null;
}

/** What the rows of one command come to: the live ones count, to the latest end, with the lines of all of them. */
export interface Version<Row> extends Saying, Pick<Recording, 'commandId' | 'commandAt' | 'by'> {
  readonly rows: readonly Row[];
  readonly row: Row;
  readonly ownEnd: CalendarDate;
  /** What is stated of lines of authority. */
  readonly lines: readonly LineRow[];
  /** Whether what it leaves out of the lines is none: an import without lines says nothing of them. */
  readonly isOfLines: boolean;
  /** Whether an import gave the day from which it speaks. */
  readonly isGiven: boolean;
}

/** Kinds of statuses, of which the first counts where rows say several. */
const kindsInOrder: readonly StatusKind[] = ['live', ...statusWords.map(({ kind }) => kind), 'unrecognized'];

/** What rows of one time come to: of those that say the strongest, the first date of an end, or the last of one that is live. */
export function saidBy(
  rows: readonly { readonly status: string; readonly statusDate: string | null }[],
  day: CalendarDate,
): Saying {
  const [only, ...others] = rows;
  if (only !== undefined && others.length === 0) {
    const { status, statusDate } = only;
    const date = statusDate === null ? null : writtenDate(statusDate);
    return { kind: statusKindOf(status, 'license'), day, statusDate: date };
  }
  const kinds = rows.map(({ status }) => statusKindOf(status, 'license'));
  const kind = kindsInOrder.find((one) => kinds.includes(one)) ?? 'unrecognized';
  const dates = rows
    .flatMap(({ statusDate }, index) =>
      kinds[index] === kind && statusDate !== null ? [writtenDate(statusDate)] : [],
    )
    .sort(compare);
  return { kind, day, statusDate: dates.at(kind === 'live' ? -1 : 0) ?? null };
}

/** Those of some rows that end last. */
export function lastingOf<Row extends LicenseRow>(rows: readonly Row[]): readonly Row[] {
  if (rows.length < 2) return rows;
  const last = rows.map(ownEndOf).reduce((one, other) => (one > other ? one : other));
  return rows.filter((row) => ownEndOf(row) === last);
}

function versionOf<Row extends LicenseRow>(
  { commandId, commandAt, by }: StatedFact<Row>,
  rows: readonly Row[],
  first: Row,
  isGiven: boolean,
): Version<Row> {
  const live = rows.length === 1 ? rows : rows.filter(isLive);
  const counting = live.length === 0 ? rows : live;
  const lasting = lastingOf(counting);
  const lines =
    counting.length === 1
      ? (counting[0]?.linesOfAuthority ?? [])
      : counting.flatMap((one) => one.linesOfAuthority);
  const isOfLines = lines.length > 0 || by !== 'import';
  const { kind, day, statusDate } = saidBy(lasting, knownOn(commandAt));
  const [only = first, ...others] = lasting;
  const row =
    others.length === 0
      ? only
      : (lasting.find(({ status }) => statusKindOf(status, 'license') === kind) ?? only);
  return {
    kind,
    day,
    statusDate,
    commandId,
    commandAt,
    by,
    rows,
    row,
    ownEnd: ownEndOf(row),
    lines,
    isOfLines,
    isGiven,
  };
}

/** Whether two versions state the same. Most differ in what is known of them already: to compare rows takes far longer. */
const isRepeated = <Row extends LicenseRow>(one: Version<Row>, other: Version<Row>): boolean =>
  one.ownEnd === other.ownEnd && one.kind === other.kind && isSameSet(one.rows, other.rows);

/** The versions that speak from the same day: each replaces the one before it, the last one counts. */
export interface Period<Row> {
  readonly from: CalendarDate;
  readonly versions: [Version<Row>, ...Version<Row>[]];
}

/** The versions that speak on a day. */
export const spokenOn = <Row>(periods: readonly Period<Row>[], day: CalendarDate): Period<Row> | undefined =>
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
    const isPresent = () =>
      presence.findLast(({ commandAt }) => commandAt < command[0].commandAt)?.isPresent === true;
    // Where they speak is decided by earlier commands, so before any of this one counts.
    // Nearly every command states one version, and a map for each would take a tenth of the decision.
    const byStart =
      command.length === 1 ? [[startOf(command[0]), command] as const] : Map.groupBy(command, startOf);
    for (const [from, facts] of byStart) {
      const [fact, ...more] = facts;
      if (fact === undefined) continue;
      const rows = inFixedOrder(more.length === 0 ? fact.rows : facts.flatMap((one) => one.rows));
      const [first] = rows;
      if (first === undefined) continue;
      const version = versionOf(
        fact,
        rows,
        first,
        facts.some(({ validFrom }) => validFrom !== null),
      );
      const period = periods.find((one) => one.from === from);
      const replaced = period?.versions.at(-1);
      if (replaced !== undefined && isRepeated(version, replaced) && isPresent()) continue;
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

/** The version of a term that a statement corrects or repeats: of the period from `validFrom`, else the one that speaks on `day`. */
export function versionFollowed<Row extends LicenseRow>(
  history: TermHistory<Row>,
  validFrom: CalendarDate | null,
  day: CalendarDate,
): Version<Row> | undefined {
  const periods = periodsOf(history);
  const start = validFrom ?? spokenOn(periods, day)?.from ?? history.begins;
  return periods.find(({ from }) => from === start)?.versions.at(-1);
}

/**
 * The rows that count among the facts of a key, in the order of their commands: those that speak from `validFrom`, or without
 * one those that speak on a day. Undefined where there are none, or a list left the term out. Of one that was not stated live
 * since, only what was stated since counts: an end is no return, and the list may have said that the term never was.
 */
export function statementInForce<Row extends LicenseRow>(
  facts: readonly Fact<Row>[],
  validFrom: CalendarDate | null,
  day: CalendarDate,
): { readonly rows: readonly Row[] } | undefined {
  const ofKey = keyFactsOf(facts);
  if (ofKey === undefined || presenceOf(ofKey.facts).at(-1)?.isPresent !== true) return undefined;
  const since = ofKey.facts.slice(ofKey.facts.findLastIndex(({ what }) => what === 'left out') + 1);
  const isBack = rowsOf(since).some(isLive);
  const history = historyOf(beginsOf(ofKey.row), [isBack ? ofKey : { ...ofKey, facts: since }], []);
  return versionFollowed(history, validFrom, day);
}

/** Versions of a term in the order of their commands. */
export function versionsOf<Row>(periods: readonly Period<Row>[]): readonly Version<Row>[] {
  const [first, ...others] = periods;
  if (first !== undefined && others.length === 0) return first.versions;
  return periods
    .flatMap(({ versions }) => versions)
    .sort((one, other) => compare(one.commandAt, other.commandAt));
}

/**
 * The own end of a period: that of its last version. Where that is not live and names none, that of the last live version before it,
 * of the same period if it has one.
 * @param all versions of the term, in the order of their commands.
 */
export function ownEndOfPeriod<Row>({ versions }: Period<Row>, all: readonly Version<Row>[]): CalendarDate {
  const last = versions.at(-1) ?? versions[0];
  if (last.kind === 'live' || last.ownEnd !== never) return last.ownEnd;
  const isBefore = ({ kind, commandAt }: Version<Row>): boolean =>
    kind === 'live' && commandAt < last.commandAt;
  return (versions.findLast(isBefore) ?? all.findLast(isBefore))?.ownEnd ?? never;
}

/** When something was not in force, by all that was said of it. */
export interface Interruptions {
  /** The last one is open where it is not in force any more. */
  readonly gaps: readonly Days[];
  /** Days on which that is not known, since its last status is not recognized. */
  readonly doubts: readonly Days[];
}

export const noInterruptions: Interruptions = { gaps: [], doubts: [] };

/**
 * From the day on which it became known that it was not in force, or from the date of that, to the day before it became known, or
 * the date, that it was again.
 * @param said one after the other.
 */
export function interruptionsOf(said: readonly Saying[]): Interruptions {
  const gaps: Days[] = [];
  let from: CalendarDate | undefined;
  let unrecognizedFrom: CalendarDate | undefined;
  for (const { kind, day, statusDate } of said) {
    if (kind === 'live') {
      const back = statusDate ?? day;
      if (from !== undefined && from < back) gaps.push({ from, until: dayBefore(back) });
      from = undefined;
    } else if (kind !== 'unrecognized' || from === undefined || from > (statusDate ?? day)) {
      from = statusDate ?? from ?? day;
    }
    unrecognizedFrom = kind === 'unrecognized' ? (statusDate ?? unrecognizedFrom ?? day) : undefined;
  }
  const doubts = unrecognizedFrom === undefined ? [] : [{ from: unrecognizedFrom, until: never }];
  if (from !== undefined)
    gaps.push({ from, until: unrecognizedFrom === undefined ? never : dayBefore(unrecognizedFrom) });
  return { gaps, doubts };
}

/** What was said in a period. */
interface SaidFrom extends Interruptions {
  readonly from: CalendarDate;
}

/** The interruptions of each of some periods: what a later one dates before it begins counts in those before it too. */
export const withLaterOnes = (periods: readonly SaidFrom[]): readonly Interruptions[] =>
  periods.map((own, index) =>
    periods.slice(index + 1).reduce<Interruptions>(({ gaps, doubts }, later) => {
      const isEarlier = ({ from }: Days): boolean => from < later.from;
      return {
        gaps: [...gaps, ...later.gaps.filter(isEarlier)],
        doubts: [...doubts, ...later.doubts.filter(isEarlier)],
      };
    }, own),
  );
