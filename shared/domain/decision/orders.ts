import { addDays, type CalendarDate } from '#platform/dates/dates.ts';
import { type Days, dayBefore, earlierOf, knownOn, never, writtenDate } from './dates.ts';
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
    (statement) =>
      statement.recordedAt >= recordedAt &&
      statement.rows.some((row) => row.isDeleted === true && row.actionId === actionId),
  );

/** An action as it was stated last, and when it was known. */
interface StatedAction<Action> extends Recorded<Action> {
  /** The day on which it first became known. */
  readonly firstKnownOn: CalendarDate;
  /** The day from which complete statements do not name it. */
  readonly leftOutOn: CalendarDate | undefined;
  /** Content that each source said last of it; empty where it left it out. */
  readonly said: ReadonlyMap<string, string>;
}

/** The orders by actions, and the days on which it is not known whether there is one. */
function ordersBy(stated: readonly StatedAction<ActionRow>[]): Order[] {
  const read = stated.map(({ row, firstKnownOn, leftOutOn }) => {
    const begins = row.effectiveDate ?? row.dateOfAction ?? row.enterDate;
    return {
      kind: dispositionKindOf(row.disposition ?? ''),
      from: begins === null ? firstKnownOn : writtenDate(begins),
      // Whole days; none is no length.
      length: Math.ceil(Math.max(row.lengthOfOrderInDays ?? 0, 0)),
      leftOutOn,
      actionId: row.actionId,
    };
  });
  const over = read.filter(({ kind }) => kind === 'over').map(({ from }) => from);
  return read
    .flatMap(({ kind, from, length, leftOutOn, actionId }): Order[] => {
      if (kind === 'over' || kind === 'none') return [];
      const ends = [...over.filter((day) => day > from), leftOutOn ?? never];
      const until = ends.map(dayBefore).reduce(earlierOf, addDays(from, (length || mostDays) - 1));
      if (kind === 'not known') return [{ actionId, is: kind, from, until }];
      const lastInForce = length === 0 ? earlierOf(addDays(from, daysInForce - 1), until) : until;
      return [
        { actionId, is: 'in force', from, until: lastInForce },
        { actionId, is: 'not known', from: addDays(lastInForce, 1), until },
      ];
    })
    .filter((order) => order.from <= order.until);
}

/** A row as it was said. */
const withoutDeletion = <Action>({ isDeleted: _, ...row }: StatedRow<Action>): Action => row as Action;

/**
 * The regulatory actions against a holder in a state, each as it was stated last, those that an import says never were, and orders.
 * @param statements in their order.
 */
export function actionsOf<Action extends ActionRow>(statements: readonly RecordedStatement<Action>[]) {
  const actions = new Map<string, StatedAction<Action>>();
  const deletedActions = new Map<string, Recorded<Action>>();
  for (const statement of statements) {
    const { by, rows, isComplete } = statement;
    const [day, time] = [knownOn(statement.at), writtenAtOf(statement)];
    const stated = new Map<string, Action>();
    for (const row of rows) {
      if (row.isDeleted === true)
        deletedActions.set(row.actionId, { row: withoutDeletion(row), recordedAt: time });
      else if (!isDeletedLater(statements, row, statement.recordedAt)) stated.set(row.actionId, row);
    }
    const namedIds = new Set(rows.map(({ actionId }) => actionId));
    for (const actionId of new Set([...stated.keys(), ...(isComplete ? actions.keys() : [])])) {
      const [statedRow, before] = [stated.get(actionId), actions.get(actionId)];
      const row = statedRow ?? before?.row;
      if (row === undefined) continue;
      const content = statedRow === undefined ? '' : contentOf(statedRow);
      const {
        said = new Map(),
        recordedAt = '',
        leftOutOn = namedIds.has(actionId) ? undefined : day,
      } = before ?? {};
      actions.set(actionId, {
        row,
        recordedAt: said.get(by) !== content && time > recordedAt ? time : recordedAt,
        firstKnownOn: before?.firstKnownOn ?? day,
        leftOutOn: statedRow === undefined ? leftOutOn : undefined,
        said: new Map([...said, [by, content]]),
      });
    }
  }
  return {
    actions: Array.from(actions.values(), ({ row, recordedAt }): Recorded<Action> => ({ row, recordedAt })),
    takenBack: [...deletedActions].flatMap(([actionId, deletion]) => (actions.has(actionId) ? [] : deletion)),
    orders: ordersBy([...actions.values()]),
  };
}
