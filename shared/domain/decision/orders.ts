import { addDays, type CalendarDate } from '../../platform/dates/dates.ts';
import { type Days, dayBefore, earlierOf, knownOn, writtenDate } from './dates.ts';
import { dispositionKindOf } from './dispositions.ts';
import { type Recorded, type RecordedStatement, type StatedRow, writtenAtOf } from './records.ts';
import { type ActionRow, contentOf } from './rows.ts';

/** Days for which an order without a length is in force, and days after which nothing is known of it either. */
const [daysInForce, mostDays] = [30, 365];

/** Days on which an order is in force, or on which that is not known. */
export interface Order extends Days {
  readonly actionId: string;
  readonly is: 'in force' | 'not known';
}

/** Whether a statement says later that an action never was. */
const isDeletedLater = (
  statements: readonly RecordedStatement<ActionRow>[],
  { actionId }: ActionRow,
  recordedAt: string,
): boolean =>
  statements.some(
    (other) =>
      other.recordedAt >= recordedAt &&
      other.rows.some((row) => row.isDeleted === true && row.actionId === actionId),
  );

interface StatedAction {
  readonly action: ActionRow;
  /** The day on which it first became known. */
  readonly firstKnownOn: CalendarDate;
  /** The day of a later complete statement that does not name it. */
  leftOutOn?: CalendarDate;
}

/** What was stated last of each action. */
function statedActions(statements: readonly RecordedStatement<ActionRow>[]): StatedAction[] {
  const stated = new Map<string, StatedAction>();
  for (const { at, recordedAt, isComplete, rows } of statements) {
    const day = knownOn(at);
    for (const action of rows) {
      if (isDeletedLater(statements, action, recordedAt)) continue;
      const firstKnownOn = stated.get(action.actionId)?.firstKnownOn ?? day;
      stated.set(action.actionId, { action, firstKnownOn });
    }
    if (!isComplete) continue;
    const named = new Set(rows.map(({ actionId }) => actionId));
    for (const [actionId, one] of stated) if (!named.has(actionId)) one.leftOutOn ??= day;
  }
  return [...stated.values()];
}

const beginsOf = ({ action, firstKnownOn }: StatedAction): CalendarDate => {
  const written = action.effectiveDate ?? action.dateOfAction ?? action.enterDate;
  return written === null ? firstKnownOn : writtenDate(written);
};

/** Whole days; null without a length. */
const lengthOf = ({ action: { lengthOfOrderInDays: length } }: StatedAction): number | null =>
  length === null || length <= 0 ? null : Math.ceil(length);

/**
 * The orders against a holder in a state, and the days on which it is not known whether there is one.
 * @param statements of regulatory actions in the state, in their order.
 */
export function ordersOf(statements: readonly RecordedStatement<ActionRow>[]): Order[] {
  const stated = statedActions(statements).map((one) => ({
    ...one,
    kind: dispositionKindOf(one.action.disposition ?? ''),
    from: beginsOf(one),
    length: lengthOf(one),
  }));
  const over = stated.filter(({ kind }) => kind === 'over').map(({ from }) => from);
  return stated.flatMap(({ kind, from, length, leftOutOn, action: { actionId } }): Order[] => {
    if (kind === 'over' || kind === 'none') return [];
    const ends = [...over.filter((day) => day > from), ...(leftOutOn === undefined ? [] : [leftOutOn])];
    const last = ends.map(dayBefore).reduce(earlierOf, addDays(from, (length ?? mostDays) - 1));
    const isKnownUntil = length === null ? addDays(from, daysInForce - 1) : last;
    const orders: Order[] =
      kind === 'not known'
        ? [{ actionId, is: 'not known', from, until: last }]
        : [
            { actionId, is: 'in force', from, until: earlierOf(isKnownUntil, last) },
            { actionId, is: 'not known', from: addDays(isKnownUntil, 1), until: last },
          ];
    return orders.filter((order) => order.from <= order.until);
  });
}

/** A row as it was said. */
const withoutDeletion = <Action>({ isDeleted: _, ...row }: StatedRow<Action>): Action => row as Action;

/**
 * The regulatory actions against a holder in a state, each as it was stated last, and those that an import says never were.
 * @param statements in their order.
 */
export function actionsOf<Action extends ActionRow>(statements: readonly RecordedStatement<Action>[]) {
  const known = new Map<string, Recorded<Action> & { readonly said: ReadonlyMap<string, string> }>();
  const gone = new Map<string, Recorded<Action>>();
  for (const statement of statements) {
    const [source, time] = [statement.by, writtenAtOf(statement)];
    const stated = new Map<string, Action>();
    for (const row of statement.rows) {
      if (row.isDeleted === true) gone.set(row.actionId, { row: withoutDeletion(row), recordedAt: time });
      else if (!isDeletedLater(statements, row, statement.recordedAt)) stated.set(row.actionId, row);
    }
    const ids = statement.isComplete ? [...stated.keys(), ...known.keys()] : stated.keys();
    for (const actionId of new Set(ids)) {
      const [own, before] = [stated.get(actionId), known.get(actionId)];
      const row = own ?? before?.row;
      if (row === undefined) continue;
      // Of one that a complete statement leaves out nothing is said.
      const content = own === undefined ? '' : contentOf(own);
      const { said = new Map(), recordedAt = '' } = before ?? {};
      const isNews = said.get(source) !== content && time > recordedAt;
      known.set(actionId, {
        row,
        recordedAt: isNews ? time : recordedAt,
        said: new Map([...said, [source, content]]),
      });
    }
  }
  return {
    actions: Array.from(known.values(), ({ row, recordedAt }): Recorded<Action> => ({ row, recordedAt })),
    takenBack: [...gone].flatMap(([actionId, one]) => (known.has(actionId) ? [] : one)),
  };
}
