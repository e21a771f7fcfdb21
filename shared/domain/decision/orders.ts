import { addDays, type CalendarDate } from '../../platform/dates/calendar.ts';
import { groupBy } from '../../platform/data/group-by.ts';
import { type Days, dayBefore, knownOn, writtenDate } from './dates.ts';
import type { ActionFact, ActionRow } from './facts.ts';
import { plain } from './words.ts';

/** Words of dispositions that forbid to sell. */
export const orderWords: readonly string[] = [
  'suspension',
  'suspended',
  'revocation',
  'revoked',
  'surrender',
  'surrendered',
  'prohibited',
];

/** Words by which it is not known whether a disposition forbids it. */
export const ceaseAndDesist = 'cease and desist';

/** Words that say that only a fine is meant. */
export const fineWords = 'fine suspended';

/** Words that say that an order is not in force. */
export const liftedWords: readonly string[] = ['stayed', 'lifted', 'rescinded'];

/** Days for which an order without a length lasts at most, and after which a list that states a license live ends it. */
const [mostDays, daysUntilLive] = [365, 30];

/** Days on which an order is in force, or a cease and desist order may be. */
export interface Order extends Days {
  readonly actionId: string;
  readonly isCeaseAndDesist: boolean;
}

const hasWord = (text: string, words: readonly string[]): boolean => words.some((word) => text.includes(word));

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

/**
 * The orders against a holder in a state.
 * @param actions of the state, in the order of their commands.
 * @param liveLists days of the lists that stated a license there live, in their order.
 */
export function ordersOf(actions: readonly ActionFact[], liveLists: () => readonly CalendarDate[]): Order[] {
  return Array.from(
    groupBy(actions, ({ actionId }) => actionId),
    ([actionId, facts]): Order[] => {
      const last = facts.at(-1);
      if (last?.what !== 'stated') return [];
      const { action } = last;
      const kind = orderOf(action);
      if (kind === 'none') return [];
      const first = facts[facts.findLastIndex(({ what }) => what === 'retracted') + 1] ?? last;
      const from = beginsOf(action, first.commandAt);
      const days = { from, until: lastDayOf(action, from, liveLists) };
      return [{ ...days, actionId, isCeaseAndDesist: kind === 'may forbid' }];
    },
  ).flat();
}

function lastDayOf(
  { lengthOfOrderInDays: length }: ActionRow,
  from: CalendarDate,
  liveLists: () => readonly CalendarDate[],
): CalendarDate {
  if (length !== null && length > 0) return addDays(from, Math.ceil(length) - 1);
  const atMost = addDays(from, mostDays - 1);
  const lifted = liveLists().find((day) => day >= addDays(from, daysUntilLive));
  return lifted !== undefined && lifted <= atMost ? dayBefore(lifted) : atMost;
}

/** The day from which a list that states a license live ends one of the orders; undefined where none would. */
export const endedByListFrom = (facts: readonly ActionFact[]): CalendarDate | undefined => undefined;
