import { memoize } from '#platform/data/caches.ts';
import { addDays, type CalendarDate } from '#platform/dates/dates.ts';
import { plain, type WordsOf, wordPattern, wordsOf } from '../registry/words.ts';
import {
  always,
  type Days,
  dayAfter,
  dayBefore,
  earlierOf,
  knownOn,
  laterOf,
  never,
  writtenDate,
} from './dates.ts';
import { lastDayOfLag } from './days.ts';
import {
  type ActionRow,
  contentOf,
  distinctRows,
  type Recorded,
  type RecordedStatement,
  writtenAtOf,
} from './records.ts';

/** Kind of a disposition as to an order that forbids to sell; `none` where it is no such order. */
export type DispositionKind = 'over' | 'in force' | 'not known' | 'none';

/** The words of dispositions, whole: of several in one part, the first row that has one counts. */
export const dispositionWords: readonly WordsOf<DispositionKind>[] = [
  {
    kind: 'over',
    words: wordsOf(
      'vacated, set aside, overturned, rescinded, stayed, lifted, reinstated, reinstatement, terminated',
    ),
  },
  {
    kind: 'in force',
    words: wordsOf(
      'suspension, suspended, revocation, revoked, surrender, surrendered, prohibited, barred, debarment, debarred, cancelled, canceled, injunction, stay lifted',
    ),
  },
  { kind: 'not known', words: wordsOf('cease and desist') },
  {
    kind: 'none',
    words: wordsOf(
      'fine, penalty, forfeiture, restitution, reprimand, censure, warning, probation, consent, hearing, granted, denied, dismissed, withdrawn, show cause, costs',
    ),
  },
];

const patterns = dispositionWords.map(({ kind, words }) => ({ kind, pattern: wordPattern(words) }));

const moneyWords = '(?:fines?|penalty|penalties|forfeiture|costs)';
const money = `(?:(?:the|a|civil|monetary|administrative) )*${moneyWords}`;
const takenBack = 'stayed|vacated|rescinded|set aside|lifted';
const forbiddances = 'suspension|revocation|surrender|debarment|injunction';
const orders = `(?:${forbiddances}|reinstatement)`;
const request = '(?:application|petition|motion|request) for';
const fillers = '(?:(?:order|of|the|a|previous|license|summary|voluntary|is|was) )*';

/** Forms that are clear of a whole part, though they name an order beside words that would undo it. */
const clearForms: readonly { readonly kind: DispositionKind; readonly form: string }[] = [
  // A fine, a penalty, or a denial that is itself suspended or taken back is no order, nor the end of one.
  { kind: 'none', form: `(?:${money}|denial) (?:is |was |were )?(?:suspended|revoked|${takenBack})` },
  { kind: 'none', form: `(?:suspension|revocation|stay) of (?:${money}|denial)` },
  // Nor is an order that is asked for, or was refused.
  {
    kind: 'none',
    form: `(?:order to )?show cause (?:(?:why|for|the|your|license|should|not|be) )*(?:${orders}|suspended|revoked)`,
  },
  { kind: 'none', form: `(?:(?:denial of|${request}) )+${orders}(?: denied)?|${orders} denied` },
  { kind: 'not known', form: `${fillers}reinstatement ${fillers}(?:${takenBack}|overturned|terminated)` },
  { kind: 'over', form: `${fillers}(?:${forbiddances}) ${fillers}(?:${takenBack}|overturned|terminated)` },
  { kind: 'over', form: `${fillers}reinstate(?:d|ment) after ${fillers}(?:${forbiddances})` },
  { kind: 'in force', form: `stay (?:of ${fillers}(?:${forbiddances}) )?(?:was |is )?lifted` },
];

const clearPatterns = clearForms.map(({ kind, form }) => ({ kind, pattern: new RegExp(`^(?:${form})$`) }));
const asking = wordPattern(wordsOf('show cause, application, petition, motion, request, denial'));
const undoing = wordPattern(
  wordsOf(
    'withdrawn, dismissed, reversed, annulled, ended, expired, released, removed, abeyance, deferred, probated, proposed, not suspended, not revoked',
  ),
);
const refusing = wordPattern(wordsOf('not, no longer, stay, denied, fine, penalty, forfeiture, cost'));

/** What a part says: an order beside words that may undo it, in no clear form, is not known. */
function kindOfPart(part: string): DispositionKind | undefined {
  const clear = clearPatterns.find(({ pattern }) => pattern.test(part));
  if (clear !== undefined) return clear.kind;
  const kinds = patterns.flatMap(({ kind, pattern }) => (pattern.test(part) ? kind : []));
  const [isOver, isOrder, isAsked] = [kinds.includes('over'), kinds.includes('in force'), asking.test(part)];
  const [instead = '', ofOrder] = part.split(' in lieu of ');
  const isInLieu = ofOrder !== undefined && kindOfPart(instead) !== 'in force';
  const isUndone = isOrder && (undoing.test(part) || isInLieu);
  const isUnclear = isUndone || (isOver ? isOrder || isAsked || refusing.test(part) : isOrder && isAsked);
  return isUnclear ? 'not known' : kinds[0];
}

/** What is over where no order is named, such as a probation. */
const mildActions = wordPattern(
  wordsOf(
    'probation, consent, supervision, monitoring, settlement, restitution, investigation, employment, contract, hearing, reprimand, censure, warning',
  ),
);
const licenseWords = wordPattern(
  wordsOf(
    'lic, license, licence, licensure, certificate, appointment, registration, authority, permit, producer, agent, agency, cause',
  ),
);
const orderWords = wordPattern(
  wordsOf(`${forbiddances.replaceAll('|', ', ')}, suspended, revoked, reinstated, reinstatement`),
);

/** What a fine of the part before is, that belongs to it; one is never revoked. */
const moneyInParts = new RegExp(
  `\\b(${moneyWords})(?:\\s*[;,]\\s*(suspended)|\\s*[-;,/:]\\s*(${takenBack}))\\s*(?=[-;,/:]|$)`,
  'gi',
);
const separators = /[;,/:()]|(?<!show cause)\s[-–—]+\s/i;

/** Reads what a disposition says of an order (OpenAPI, "How compliance is decided"). */
export const dispositionKindOf: (disposition: string) => DispositionKind = memoize((disposition) => {
  const text = disposition.replaceAll('&', ' and ').replace(moneyInParts, '$1 $2$3');
  const parts = text.split(separators).map(plain);
  const kinds = new Set(parts.map(kindOfPart));
  if (kinds.has('over') && (kinds.has('in force') || asking.test(plain(text)))) return 'not known';
  const words = plain(text);
  // That a license was ended is no end of an order, and may be one.
  const ofNoAction = parts.filter(
    (part) => !orderWords.test(part) && (licenseWords.test(part) || !mildActions.test(part)),
  );
  if (ofNoAction.some((part) => part.includes('terminated')) && licenseWords.test(ofNoAction.join(' ')))
    return 'not known';
  if (mildActions.test(words) && !orderWords.test(words) && kinds.delete('over')) kinds.add('none');
  return (['in force', 'not known', 'over', 'none'] as const).find((kind) => kinds.has(kind)) ?? 'not known';
});

/** Days for which an order without a length is in force, and days after which nothing is known of it either. */
const [daysInForce, mostDays] = [30, 365];

/** Days on which an order is in force, or on which that is not known. */
export interface Order extends Days {
  readonly actionId: string;
  readonly is: 'in force' | 'not known';
  /** Time at which it, or what ended it, was last recorded otherwise. ISO time in UTC. */
  readonly recordedAt: string;
}

/** An action as it was stated last, and when it was known. */
interface StatedAction<Action> {
  /** One, but where a statement has several of the same id. */
  readonly rows: readonly Action[];
  readonly recordedAt: string;
  /** The day on which it first became known. */
  readonly firstKnownOn: CalendarDate;
  /** The day from which complete statements do not name it. */
  readonly leftOutOn: CalendarDate | undefined;
  /** The day from which one of them is not of a registry that may lag behind an import. */
  readonly goneOn: CalendarDate | undefined;
  /** The day of the last import that states it; `always` where none does. */
  readonly importedOn: CalendarDate;
  /** Content that each source said last of it; empty where it left it out. */
  readonly said: ReadonlyMap<string, string>;
}

const kindOf = ({ disposition }: ActionRow): DispositionKind => dispositionKindOf(disposition ?? '');

const beginsOf = ({ effectiveDate, dateOfAction, enterDate }: ActionRow, firstKnownOn: CalendarDate) =>
  writtenDate(effectiveDate ?? dateOfAction ?? enterDate ?? firstKnownOn);

/** Whether an action forbids to sell, or may. */
const mayForbid = (rows: readonly ActionRow[]): boolean =>
  rows.some((row) => ['in force', 'not known'].includes(kindOf(row)));

/** The orders by actions, and the days on which it is not known whether there is one. */
function ordersBy(stated: readonly StatedAction<ActionRow>[]): Order[] {
  const read = stated.flatMap(({ rows, firstKnownOn, leftOutOn, goneOn, recordedAt }) =>
    rows.map((row) => ({
      kind: kindOf(row),
      from: beginsOf(row, firstKnownOn),
      // Whole days; none is no length.
      length: Math.ceil(Math.max(row.lengthOfOrderInDays ?? 0, 0)),
      leftOutOn: leftOutOn ?? never,
      goneOn: goneOn ?? never,
      actionId: row.actionId,
      recordedAt,
    })),
  );
  const over = read.filter(({ kind }) => kind === 'over');
  return read
    .flatMap(({ kind, from, length, leftOutOn, goneOn, ...said }): Order[] => {
      if (kind === 'over' || kind === 'none') return [];
      // What complete statements do not name any more ends only what they named no longer.
      const later = over.filter((one) => one.from > from && leftOutOn <= one.leftOutOn);
      const recordedAt = later.map((one) => one.recordedAt).reduce(laterOf, said.recordedAt);
      const { actionId } = said;
      const ends = [...later.map((one) => one.from), goneOn];
      const until = ends.map(dayBefore).reduce(earlierOf, addDays(from, (length || mostDays) - 1));
      if (kind === 'not known') return [{ actionId, is: kind, from, until, recordedAt }];
      const ofLength = length === 0 ? earlierOf(addDays(from, daysInForce - 1), until) : until;
      const lastInForce = earlierOf(ofLength, dayBefore(leftOutOn));
      return [
        { actionId, is: 'in force', from, until: lastInForce, recordedAt },
        { actionId, is: 'not known', from: laterOf(from, dayAfter(lastInForce)), until, recordedAt },
      ];
    })
    .filter((order) => order.from <= order.until);
}

/**
 * An action as it was before rows amend it to forbid nothing: until the one by which it is over begins, or while the registry may lag
 * behind an import. What is amended to be no order never was one.
 */
function formerAction<Action extends ActionRow>(
  before: StatedAction<Action>,
  rows: readonly Action[],
  day: CalendarDate,
  lagEnds: CalendarDate,
): StatedAction<Action>[] {
  const isLag = day <= lagEnds;
  const over = rows.filter((row) => kindOf(row) === 'over');
  if (!isLag && over.length === 0) return [];
  const until = isLag ? dayAfter(lagEnds) : over.map((row) => beginsOf(row, day)).reduce(laterOf, day);
  const leftOutOn = earlierOf(before.leftOutOn ?? never, isLag ? day : until);
  return [{ ...before, leftOutOn, goneOn: earlierOf(before.goneOn ?? never, until) }];
}

/**
 * The regulatory actions against a holder in a state, each as it was stated last, those that an import says never were, and orders.
 * @param statements in their order.
 */
export function actionsOf<Action extends ActionRow>(statements: readonly RecordedStatement<Action>[]) {
  const actions = new Map<string, StatedAction<Action>>();
  /** What actions were before they were amended, or gone and named again. */
  const formerActions: StatedAction<Action>[] = [];
  const deletedActions = new Map<string, Recorded<Action>>();
  const isDeletedSince = ({ actionId }: Action, time: string): boolean =>
    statements.some(
      ({ recordedAt, rows }) =>
        recordedAt > time && rows.some((row) => row.isDeleted === true && row.actionId === actionId),
    );
  for (const statement of statements) {
    const { by, rows, isComplete } = statement;
    const [day, time] = [knownOn(statement.at), writtenAtOf(statement)];
    const stated = new Map<string, Action[]>();
    for (const row of rows) {
      const { isDeleted, ...action } = row;
      if (isDeleted === true) deletedActions.set(row.actionId, { row: action as Action, recordedAt: time });
      else if (!isDeletedSince(row, statement.recordedAt))
        stated.set(row.actionId, [...(stated.get(row.actionId) ?? []), row]);
    }
    const namedIds = new Set(rows.map(({ actionId }) => actionId));
    for (const actionId of new Set([...stated.keys(), ...(isComplete ? actions.keys() : [])])) {
      const [statedRows, before] = [stated.get(actionId), actions.get(actionId)];
      const { rows: rowsBefore = [] } = before ?? {};
      // Which of several rows a partial statement says anew is not known.
      const keptRows = statedRows === undefined || (!isComplete && rowsBefore.length > 1) ? rowsBefore : [];
      const allRows = [...keptRows, ...(statedRows ?? [])];
      if (allRows.length === 0) continue;
      const rowsOfAction = distinctRows(allRows);
      const content = statedRows?.map(contentOf).join() ?? '';
      const {
        said = new Map(),
        recordedAt = '',
        leftOutOn = namedIds.has(actionId) ? undefined : day,
        importedOn = always,
      } = before ?? {};
      const lagEnds = by === 'registry' ? lastDayOfLag(importedOn) : always;
      const isLag = day <= lagEnds;
      const goneOn = before?.goneOn ?? (isLag ? undefined : leftOutOn && day);
      const isAmended = mayForbid(rowsBefore) && !mayForbid(rowsOfAction);
      const isAgain = statedRows !== undefined && before?.goneOn !== undefined;
      if (before !== undefined && (isAmended || isAgain))
        formerActions.push(...(isAgain ? [before] : formerAction(before, rowsOfAction, day, lagEnds)));
      actions.set(actionId, {
        rows: rowsOfAction,
        recordedAt: said.get(by) !== content && time > recordedAt ? time : recordedAt,
        firstKnownOn: isAmended || isAgain ? day : (before?.firstKnownOn ?? day),
        leftOutOn: statedRows === undefined ? leftOutOn : undefined,
        goneOn: statedRows === undefined ? goneOn : undefined,
        importedOn: statedRows !== undefined && by === 'import' ? day : importedOn,
        said: new Map([...said, [by, content]]),
      });
    }
  }
  return {
    actions: [...actions.values()].flatMap(({ rows, recordedAt }): Recorded<Action>[] =>
      rows.slice(-1).map((row) => ({ row, recordedAt })),
    ),
    takenBack: [...deletedActions].flatMap(([actionId, deletion]) => (actions.has(actionId) ? [] : deletion)),
    orders: ordersBy([...actions.values(), ...formerActions]),
  };
}
