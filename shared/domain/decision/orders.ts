import { addDays, type CalendarDate } from '../../platform/dates/dates.ts';
import { type Days, dayBefore, earlierOf, knownOn, writtenDate } from './dates.ts';
import { type DispositionKind, dispositionKindOf } from './dispositions.ts';
import type { ActionFact, ActionRow, Closing } from './facts.ts';

/** Days for which an order without a length lasts at most, and after which a list that states a license live ends it. */
const [mostDays, daysUntilLive] = [365, 30];

/** Days on which an order is in force, or a cease and desist order may be. */
export interface Order extends Days {
  readonly actionId: string;
  readonly isCeaseAndDesist: boolean;
}

const beginsOf = ({ effectiveDate, dateOfAction, enterDate }: ActionRow, known: string): CalendarDate => {
  const written = effectiveDate ?? dateOfAction ?? enterDate;
  return written === null ? knownOn(known) : writtenDate(written);
};

const lengthOf = ({ lengthOfOrderInDays: length }: ActionRow): number | null =>
  length === null || length <= 0 ? null : Math.ceil(length);

/** What is stated of an action, if it is an order or says that one is over: from which day on, and for how long. */
interface StatedOrder extends Pick<Order, 'actionId' | 'from'> {
  readonly kind: Exclude<DispositionKind, 'none'>;
  /** The command since which it is stated as it is now. */
  readonly since: string;
  /** Days; null where it has no length. */
  readonly length: number | null;
}

function statedOrders(actions: readonly ActionFact[]): StatedOrder[] {
  return Array.from(
    Map.groupBy(actions, ({ actionId }) => actionId),
    ([actionId, facts]): StatedOrder[] => {
      const stated = facts
        .slice(facts.findLastIndex(({ what }) => what === 'retracted') + 1)
        .filter((fact) => fact.what === 'stated');
      const known = stated[0]?.commandAt ?? '';
      const all = stated.map(({ action, commandAt }) => ({
        kind: dispositionKindOf(action.disposition ?? ''),
        from: beginsOf(action, known),
        length: lengthOf(action),
        since: commandAt,
      }));
      const last = all.at(-1);
      if (last === undefined || last.kind === 'none') return [];
      const { kind, from, length } = last;
      const before = all.findLastIndex(
        (one) => one.kind !== kind || one.from !== from || one.length !== length,
      );
      const { since } = all[before + 1] ?? last;
      return [{ actionId, kind, since, from, length }];
    },
  ).flat();
}

/**
 * Whether a list that states a license live ends an order without a length: one that was recorded when the order was known as it is
 * now, since an earlier one that changed nothing has left no trace.
 */
const isLifting = ({ commandAt }: Pick<Closing, 'commandAt'>, { from, since }: StatedOrder): boolean =>
  commandAt >= since && knownOn(commandAt) >= addDays(from, daysUntilLive);

/**
 * The orders against a holder in a state; an action that is over and begins later ends those before it.
 * @param actions of the state, in the order of their commands.
 * @param liveLists the lists that stated a license there live, in their order.
 */
export function ordersOf(actions: readonly ActionFact[], liveLists: () => readonly Closing[]): Order[] {
  const stated = statedOrders(actions);
  const over = stated.filter(({ kind }) => kind === 'over');
  return stated.flatMap((order) => {
    const { from, length, actionId, kind } = order;
    if (kind === 'over') return [];
    const lifting = length === null ? liveLists().find((list) => isLifting(list, order)) : undefined;
    const ends = [
      addDays(from, (length ?? mostDays) - 1),
      ...(lifting === undefined ? [] : [dayBefore(knownOn(lifting.commandAt))]),
      ...over.flatMap((end) => (end.from > from ? dayBefore(end.from) : [])),
    ];
    return [{ from, until: ends.reduce(earlierOf), actionId, isCeaseAndDesist: kind === 'not known' }];
  });
}

/**
 * Whether a list is the first one that may end one of the orders.
 * @param actions with those that its visit states.
 * @param lists those before it.
 */
export const mayBeLifted = (
  actions: readonly ActionFact[],
  lists: readonly Closing[],
  list: Pick<Closing, 'commandAt'>,
): boolean =>
  statedOrders(actions).some(
    (order) =>
      order.kind !== 'over' &&
      order.length === null &&
      isLifting(list, order) &&
      knownOn(list.commandAt) < addDays(order.from, mostDays) &&
      !lists.some((one) => isLifting(one, order)),
  );
