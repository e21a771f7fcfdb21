import { compare } from '../../platform/data/compare.ts';
import { groupBy } from '../../platform/data/group-by.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { knownOn, never, writtenDate } from './dates.ts';
import {
  type AppointmentRow,
  type Closing,
  changeDate,
  type Fact,
  inOrder,
  isPresentAt,
  type Presence,
  type Recording,
  rowsOf,
} from './facts.ts';

/** Whether the registry reports an appointment as in force; a termination ends it, whatever its status still says. */
export const isLiveAppointment = ({
  status,
  terminationReason,
}: Pick<AppointmentRow, 'status' | 'terminationReason'>): boolean =>
  ['active', 'appointed'].includes(status.trim().toLowerCase()) && (terminationReason ?? '').trim() === '';

const renewalOf = ({ renewalDate }: AppointmentRow): CalendarDate =>
  renewalDate === null ? never : writtenDate(renewalDate);

/** What one command stated about a status change, by the rows that count: those that last equally long. */
export interface Statement<Row> {
  readonly commandId: string;
  readonly commandAt: string;
  /** The last command that said so: a list names also what it does not change. */
  readonly namedAt: string;
  readonly day: CalendarDate;
  readonly isLive: boolean;
  readonly rows: readonly Row[];
  readonly renewal: CalendarDate;
}

/** What is recorded under one key, without what was retracted. */
export interface ChangeFacts<Row extends AppointmentRow> extends Presence {
  /** The written date; `always` for an undated change. */
  readonly date: CalendarDate;
  /** In the order of their commands, without those that were retracted. */
  readonly facts: readonly Fact<Row>[];
  /** Whether a list ever left it out. */
  readonly isLeftOut: boolean;
  /** One of its rows: all name the same company, line, and county. */
  readonly row: AppointmentRow;
}

export function changeFacts<Row extends AppointmentRow>(
  facts: readonly Fact<Row>[],
): ChangeFacts<Row> | undefined {
  const counting = facts.slice(facts.findLastIndex(({ what }) => what === 'retracted') + 1);
  const first = counting.find((fact) => fact.what === 'stated');
  const row = first?.rows[0];
  if (first === undefined || row === undefined) return undefined;
  const date = changeDate(row, first.validFrom);
  return {
    date,
    facts: counting,
    presence: counting.map(({ commandAt, what }) => ({ commandAt, isPresent: what === 'stated' })),
    isLeftOut: counting.some(({ what }) => what === 'left out'),
    row,
  };
}

/** What a command stated about a status change: the live rows count, and of live ones those that last longest. */
function statementOf<Row extends AppointmentRow>(
  { commandAt, commandId }: Recording,
  rows: readonly Row[],
): Statement<Row> {
  const live = rows.filter(isLiveAppointment);
  const isLive = live.length > 0;
  const renewals = (isLive ? live : rows).map(renewalOf).sort(compare);
  const renewal = renewals.at(isLive ? -1 : 0) ?? never;
  const counting = (isLive ? live : rows).filter((row) => renewalOf(row) === renewal);
  const day = knownOn(commandAt);
  return { commandAt, commandId, namedAt: commandAt, day, isLive, rows: counting, renewal };
}

/**
 * The statements about a status change in the order of their commands. Its rows may be recorded under several keys: a list
 * that changes one of them states all that it names.
 */
export function statementsOf<Row extends AppointmentRow>(
  changes: readonly ChangeFacts<Row>[],
  closings: readonly Closing[],
): Statement<Row>[] {
  const lists = new Set(changes.length === 1 ? [] : closings.map(({ commandId }) => commandId));
  const commands = groupBy(
    inOrder(changes.flatMap(({ facts }) => facts)),
    ({ commandAt, commandId }) => `${commandAt} ${commandId}`,
  );
  const statements = Array.from(commands.values(), (facts): Statement<Row>[] => {
    const [command] = facts;
    if (command === undefined) return [];
    const stated = lists.has(command.commandId)
      ? changes.flatMap((one) =>
          isPresentAt(one, command.commandAt) ? lastStated(one, command.commandAt) : [],
        )
      : facts;
    const rows = rowsOf(stated);
    return rows.length === 0 ? [] : [statementOf(command, rows)];
  }).flat();
  const naming = closings.findLast(({ commandAt }) => changes.some((one) => isPresentAt(one, commandAt)));
  return statements.map((one, index) => {
    const isLast = index === statements.length - 1;
    return isLast && naming !== undefined && naming.commandAt > one.commandAt
      ? { ...one, namedAt: naming.commandAt }
      : one;
  });
}

/** What the last command up to a time stated under a key. */
function lastStated<Row extends AppointmentRow>({ facts }: ChangeFacts<Row>, commandAt: string): Fact<Row>[] {
  const until = facts.filter((fact) => fact.what === 'stated' && fact.commandAt <= commandAt);
  const last = until.at(-1);
  return until.filter(({ commandId }) => commandId === last?.commandId);
}
