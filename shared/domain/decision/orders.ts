import { addDays, type CalendarDate } from '../../platform/dates/dates.ts';
import { type Days, dayBefore, earlierOf, knownOn, writtenDate } from './dates.ts';
import { dispositionKindOf } from './dispositions.ts';
import type { RecordedStatement } from './records.ts';
import type { ActionRow } from './rows.ts';

/** Days for which an order without a length is in force, and days after which nothing is known of it either. */
const [daysInForce, mostDays] = [30, 365];

/** Days on which an order is in force, or on which that is not known. */
export interface Order extends Days {
  readonly actionId: string;
  readonly is: 'in force' | 'not known';
}

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
  const isDeletedLater = ({ actionId }: ActionRow, recordedAt: string): boolean =>
    statements.some(
      (other) =>
        other.recordedAt >= recordedAt &&
        other.rows.some((row) => row.isDeleted === true && row.actionId === actionId),
    );
  for (const { at, recordedAt, isComplete, rows } of statements) {
    const day = knownOn(at);
    for (const action of rows) {
      if (isDeletedLater(action, recordedAt)) continue;
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
