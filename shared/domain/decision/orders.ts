import { addDays, type CalendarDate } from '../../platform/dates/dates.ts';
import { plain, wordsOf } from '../registry/words.ts';
import { type Days, dayBefore, earlierOf, knownOn, writtenDate } from './dates.ts';
import type { ActionFact, ActionRow, Closing } from './facts.ts';

/** Words of dispositions that forbid to sell. */
const orderWords: readonly string[] = wordsOf(
  'suspension, suspended, revocation, revoked, surrender, surrendered, prohibited',
);

/** Words by which it is not known whether a disposition forbids it. */
const ceaseAndDesist = 'cease and desist';

/** Words that say that only a fine is meant. */
const fineWords = 'fine suspended';

/** Words that say that an order is not in force. */
const liftedWords: readonly string[] = wordsOf('stayed, lifted, rescinded');

/** Days for which an order without a length lasts at most, and after which a list that states a license live ends it. */
const [mostDays, daysUntilLive] = [365, 30];

/** Days on which an order is in force, or a cease and desist order may be. */
export interface Order extends Days {
  readonly actionId: string;
  readonly isCeaseAndDesist: boolean;
}

const hasWord = (text: string, words: readonly string[]): boolean =>
  words.some((word) => text.includes(word));

/** What kind of order a disposition is. */
function orderOf({ disposition }: ActionRow): 'forbids' | 'may forbid' | 'none' {
  const said = plain((disposition ?? '').replaceAll('&', ' and ')).replaceAll(fineWords, '');
  if (hasWord(said, liftedWords)) return 'none';
  if (hasWord(said, orderWords)) return 'forbids';
  return said.includes(ceaseAndDesist) ? 'may forbid' : 'none';
}

const beginsOf = ({ effectiveDate, dateOfAction, enterDate }: ActionRow, known: string): CalendarDate => {
  const written = effectiveDate ?? dateOfAction ?? enterDate;
  return written === null ? knownOn(known) : writtenDate(written);
};

const lengthOf = ({ lengthOfOrderInDays: length }: ActionRow): number | null =>
  length === null || length <= 0 ? null : Math.ceil(length);

/** What is stated of an action, if it is an order: which kind, from which day on, and for how long. */
interface StatedOrder extends Pick<Order, 'actionId' | 'isCeaseAndDesist' | 'from'> {
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
        kind: orderOf(action),
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
      return [{ actionId, isCeaseAndDesist: kind === 'may forbid', since, from, length }];
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
 * The orders against a holder in a state.
 * @param actions of the state, in the order of their commands.
 * @param liveLists the lists that stated a license there live, in their order.
 */
export const ordersOf = (actions: readonly ActionFact[], liveLists: () => readonly Closing[]): Order[] =>
  statedOrders(actions).map((order) => {
    const { from, length, actionId, isCeaseAndDesist } = order;
    const last = addDays(from, (length ?? mostDays) - 1);
    const lifting = length === null ? liveLists().find((list) => isLifting(list, order)) : undefined;
    const until = lifting === undefined ? last : earlierOf(last, dayBefore(knownOn(lifting.commandAt)));
    return { from, until, actionId, isCeaseAndDesist };
  });

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
      order.length === null &&
      isLifting(list, order) &&
      knownOn(list.commandAt) < addDays(order.from, mostDays) &&
      !lists.some((one) => isLifting(one, order)),
  );
