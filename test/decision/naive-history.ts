import type { AppointmentRow, LicenseRow } from '../../shared/domain/decision/facts.ts';
import { comparableName } from '../../shared/domain/identifiers/comparable-names.ts';
import { newYorkDate } from '../../shared/platform/dates/dates.ts';
import type { CaseAction, CaseCommand, CaseSold, CaseUnread, Given } from './commands.ts';
import { plainCompany, plainEin, plainNumber } from './naive-words.ts';

// What is known at a moment of what was said, for the naive implementation.

/** What one command says of one kind of rows in a state. */
export interface Heard<Row> {
  /** Its place among the commands. */
  readonly order: number;
  /** The day in New York on which it became known. */
  readonly day: string;
  readonly isRegistry: boolean;
  /** Whether it is a complete list. */
  readonly isList: boolean;
  readonly rows: readonly (Row & Given)[];
}

/** An action as it was stated last. */
export interface NaiveAction {
  readonly action: NonNullable<CaseAction['action']>;
  /** The day on which it became known. */
  readonly known: string;
  /** What the commands state of it, with their places. */
  readonly stated: readonly { readonly action: NonNullable<CaseAction['action']>; readonly order: number }[];
}

export interface History {
  readonly states: readonly string[];
  readonly licenses: (stateCode: string) => Heard<LicenseRow>[];
  readonly appointments: (stateCode: string) => Heard<AppointmentRow>[];
  readonly actions: (stateCode: string) => NaiveAction[];
  readonly unread: (stateCode: string) => CaseUnread[];
  readonly sales: (stateCode: string) => CaseSold[];
  readonly isNotFound: boolean;
}

const moment = (time: string) => Date.parse(time);

/** Whether two rows of an import and of what it retracts are of one term, or of one change. */
interface Sameness {
  readonly license: (one: LicenseRow & Given, other: LicenseRow & Given) => boolean;
  readonly appointment: (
    one: AppointmentRow & Given,
    other: AppointmentRow & Given,
    all: readonly (AppointmentRow & Given)[],
  ) => boolean;
}

/** What is known at a moment. */
export function historyAt(commands: readonly CaseCommand[], knownAt: string, same: Sameness): History {
  const isKnown = (at: string | null) => at !== null && moment(at) <= moment(knownAt);
  const known = commands
    .filter(({ at, recordedAt = at }) => isKnown(recordedAt))
    .toSorted((one, other) => moment(one.at) - moment(other.at));
  const times = [...new Set(known.map(({ at }) => at))];
  const closed = ({ at, recordedAt = at, closedAt = recordedAt }: CaseCommand) => isKnown(closedAt);

  const heard = <Row extends { stateCode: string }>(
    stateCode: string,
    rowsOf: (command: CaseCommand) => readonly (Row & Given)[] | undefined,
    isSame: (one: Row & Given, other: Row & Given, all: readonly (Row & Given)[]) => boolean,
  ): Heard<Row>[] => {
    const all: { -readonly [Name in keyof Heard<Row>]: Heard<Row>[Name] }[] = times.flatMap((at, order) => {
      const parts = known.filter((command) => command.at === at && rowsOf(command) !== undefined);
      const [first] = parts;
      if (!first) return [];
      const isSetAside = parts.some(
        (one) => one.kind !== 'not found' && one.unread?.some((row) => row.stateCode === stateCode),
      );
      return [
        {
          order,
          day: newYorkDate(new Date(at)),
          isRegistry: first.kind === 'list',
          isList: first.kind === 'list' && closed(first) && !isSetAside,
          rows: parts.flatMap((one) => rowsOf(one) ?? []).filter((row) => row.stateCode === stateCode),
        },
      ];
    });
    const stated = all.flatMap(({ rows }) => rows);
    for (const { order, rows } of all)
      for (const retraction of rows.filter(({ isDeleted }) => isDeleted === true))
        for (const one of all.filter((other) => other.order <= order))
          one.rows = one.rows.filter((row) => row === retraction || !isSame(retraction, row, stated));
    for (const one of all) one.rows = one.rows.filter(({ isDeleted }) => isDeleted !== true);
    return all;
  };

  const licenses = (stateCode: string) =>
    heard<LicenseRow>(
      stateCode,
      (one) => (one.kind === 'not found' ? undefined : one.licenses),
      same.license,
    );
  const appointments = (stateCode: string) =>
    heard<AppointmentRow>(
      stateCode,
      (one) => (one.kind === 'not found' ? undefined : one.appointments),
      same.appointment,
    );
  return {
    states: [
      ...new Set(
        known.flatMap((one) =>
          one.kind === 'not found' ? [] : (one.licenses ?? []).map((row) => row.stateCode),
        ),
      ),
    ],
    licenses,
    appointments,
    actions: (stateCode) => actionsOf(known, stateCode, times),
    unread: (stateCode) => unreadOf(known, stateCode, { licenses, appointments, same }, times),
    sales: (stateCode) => {
      const sales = known.flatMap((one) => (one.kind === 'not found' ? [] : (one.sales ?? [])));
      const last = new Map(sales.map((sale) => [`${sale.stateCode} ${sale.transactionId}`, sale]));
      return [...last.values()].filter((sale) => sale.stateCode === stateCode && sale.day !== null);
    },
    isNotFound: isNotFoundBy(known, closed, same),
  };
}

function actionsOf(known: readonly CaseCommand[], stateCode: string, times: readonly string[]) {
  const actions = new Map<string, NaiveAction>();
  for (const command of known)
    for (const { actionId, action } of (command.kind === 'not found' ? [] : (command.actions ?? [])).filter(
      (one) => one.stateCode === stateCode,
    )) {
      const before = actions.get(actionId);
      if (action === null) actions.delete(actionId);
      else
        actions.set(actionId, {
          action,
          known: before?.known ?? newYorkDate(new Date(command.at)),
          stated: [...(before?.stated ?? []), { action, order: times.indexOf(command.at) }],
        });
    }
  return [...actions.values()];
}

/** The rows set aside that nothing read since speaks of. */
function unreadOf(
  known: readonly CaseCommand[],
  stateCode: string,
  { same, ...heard }: Pick<History, 'licenses' | 'appointments'> & { readonly same: Sameness },
  times: readonly string[],
): CaseUnread[] {
  const statements = heard.appointments(stateCode);
  const isListedAfter = (order: number) => statements.some((one) => one.order > order && one.isList);
  const setAside = known.flatMap((command) =>
    command.kind === 'not found' || isListedAfter(times.indexOf(command.at)) ? [] : (command.unread ?? []),
  );
  const companyOf = companyAmong([
    ...statements.flatMap(({ rows }) => rows),
    ...setAside.filter((row) => row.kind === 'appointment' && row.stateCode === stateCode),
  ] as Company[]);
  /** Whether an import after a command states such a row: what it states can be read, also where it is taken back later. */
  const isReadAfter = <Row extends Given & { readonly stateCode: string }>(
    order: number,
    rowsOf: (command: CaseCommand & { readonly kind: 'import' }) => readonly Row[] | undefined,
    isOne: (row: Row) => boolean,
    isSame: (one: Row, other: Row, all: readonly Row[]) => boolean,
  ): boolean => {
    const all = known.flatMap((one) => (one.kind === 'import' ? (rowsOf(one) ?? []) : []));
    return known.some((one) => {
      const rows = one.kind === 'import' && times.indexOf(one.at) > order ? (rowsOf(one) ?? []) : [];
      return rows.some(
        (row) =>
          row.isDeleted !== true &&
          row.stateCode === stateCode &&
          isOne(row) &&
          !rows.some((other) => other.isDeleted === true && isSame(other, row, all)),
      );
    });
  };
  return known.flatMap((command) => {
    const order = times.indexOf(command.at);
    const rows = command.kind === 'not found' ? [] : (command.unread ?? []);
    return rows
      .filter((row) => row.stateCode === stateCode)
      .filter((row) => {
        if (row.kind === 'appointment')
          return !(
            isListedAfter(order) ||
            isReadAfter(
              order,
              (one) => one.appointments,
              (read) => mayBeOne(companyOf(row), companyOf(read)),
              same.appointment,
            )
          );
        return !(
          heard.licenses(stateCode).some((one) => one.order > order && one.isList) ||
          isReadAfter(
            order,
            (one) => one.licenses,
            (read) => plainNumber(read.licenseNumber) === plainNumber(row.licenseNumber ?? ''),
            same.license,
          )
        );
      });
  });
}

export type Company = Pick<AppointmentRow, 'companyCode' | 'ein' | 'carrierName'>;

export const companyCode = (row: Company): string => plainCompany(row.companyCode);
export const companyEin = (row: Company): string => plainEin(row.ein);
export const companyName = (row: Company): string => comparableName(row.carrierName ?? '');

/** The company of a row among the rows of a holder in a state. */
export function companyIn(all: readonly Company[]): (row: Company) => string {
  const only = (companies: readonly string[]) => {
    const [one, ...others] = [...new Set(companies)];
    return others.length === 0 ? one : undefined;
  };
  const byCode = (row: Company) => `code ${companyCode(row)}`;
  const coded = all.filter((row) => companyCode(row) !== '');
  const byEin = (row: Company) =>
    only(coded.filter((one) => companyEin(one) === companyEin(row)).map(byCode)) ?? `ein ${companyEin(row)}`;
  const identified = all.filter((row) => companyCode(row) !== '' || companyEin(row) !== '');
  const byName = (row: Company) =>
    only(
      identified
        .filter((one) => companyName(one) !== '' && companyName(one) === companyName(row))
        .map((one) => (companyCode(one) === '' ? byEin(one) : byCode(one))),
    ) ?? `name ${companyName(row)}`;
  return (row) => {
    if (companyCode(row) !== '') return byCode(row);
    return companyEin(row) === '' ? byName(row) : byEin(row);
  };
}

/** What some rows say of the company of one of them. */
export function companyAmong(rows: readonly Company[]) {
  const companyOf = companyIn(rows);
  return (row: Company) => {
    const its = rows.filter((one) => companyOf(one) === companyOf(row));
    return {
      code: companyOf(row).startsWith('code ') ? companyOf(row).slice(5) : '',
      eins: new Set(its.map(companyEin).filter((one) => one !== '')),
      names: new Set(its.map(companyName).filter((one) => one !== '')),
    };
  };
}

type Called = ReturnType<ReturnType<typeof companyAmong>>;

/** Whether two companies may be one, by what both have first of a code, an EIN, and a name. */
export function mayBeOne(one: Called, other: Called): boolean {
  if (one.code !== '' && other.code !== '') return one.code === other.code;
  const [some, others] =
    one.eins.size > 0 && other.eins.size > 0 ? [one.eins, other.eins] : [one.names, other.names];
  return [...some].some((called) => others.has(called));
}

/** Whether the registry's last visit did not find a holder that it had found. */
function isNotFoundBy(
  known: readonly CaseCommand[],
  closed: (command: CaseCommand) => boolean,
  same: Sameness,
): boolean {
  const visits = known.filter((one) => one.kind === 'not found' || (one.kind === 'list' && closed(one)));
  const last = visits.at(-1);
  /** Whether a command states rows that it does not delete itself. */
  const isStating = <Row extends Given>(
    rows: readonly Row[] = [],
    isSame: (one: Row, other: Row) => boolean,
  ) => rows.some((row) => !rows.some((other) => other.isDeleted === true && isSame(other, row)));
  const isOfSomething = (one: CaseCommand) =>
    one.kind !== 'not found' &&
    (isStating<LicenseRow & Given>(one.licenses, same.license) ||
      isStating<AppointmentRow & Given>(one.appointments, (a, b) => same.appointment(a, b, [a, b])) ||
      (one.actions ?? []).length > 0 ||
      (one.unread ?? []).length > 0);
  // A list that says nothing of anybody of whom nothing is known leaves no trace.
  const isFinding = (one: CaseCommand) =>
    one.kind === 'list' && closed(one) && known.some((other) => isOfSomething(other) && other.at <= one.at);
  return last?.kind === 'not found' && known.some((one) => isFinding(one) && one.at < last.at);
}
