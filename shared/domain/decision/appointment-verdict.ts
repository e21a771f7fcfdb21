import { compare } from '../../platform/data/keys.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import { type AppointmentCoverage, appointmentOn } from './appointments.ts';
import { countingFor, type Insurers } from './carrier.ts';
import type { LineRequirement } from './compliance-config.ts';
import type { StateCoverage } from './coverage.ts';
import { type Due, dueOf, salesFor } from './due.ts';
import type { AppointmentRow, LicenseRow } from './facts.ts';
import type { Said } from './reasons.ts';
import { entriesOf, type Found, type Lines, meets, type Possible, type Search, search } from './search.ts';

/** Whose appointments are judged, when, and which of them count. */
export interface AppointmentQuestion<Appointment extends AppointmentRow> {
  readonly day: CalendarDate;
  readonly state: Pick<
    StateCoverage<LicenseRow, Appointment>,
    'appointments' | 'codesOfLine' | 'unread' | 'unmatchedEnds' | 'sales'
  >;
  readonly insurers: Insurers;
  readonly lines: readonly LineRequirement[];
  /** Where the carrier appoints when it binds: within how many days of a sale, null without a limit. */
  readonly onBinding: { readonly withinDays: number | null } | undefined;
  /** Of a sale on the day: the day until which it is looked at what became of it. */
  readonly saleSeenOn: CalendarDate | undefined;
}

export interface FoundAppointments<Appointment> extends Found<Appointment> {
  /** Where the carrier appoints when it binds: what it asks, and the appointment that is missing. Else undefined. */
  readonly onBinding: readonly LineRequirement[] | undefined;
  readonly due: Due | undefined;
}

type Codes = ReturnType<StateCoverage['codesOfLine']>;

const noCodes: ReadonlySet<string> = new Set();

/** The lines that an appointment covers: a name counts for the codes that licenses of the state give it. */
const linesOf = (
  { lineCode, lineName }: Pick<AppointmentCoverage<AppointmentRow>, 'lineCode' | 'lineName'>,
  codes: Codes,
): Lines => {
  if (lineCode !== null) return new Set([lineCode]);
  return lineName === null ? 'all' : (codes.get(lineName) ?? noCodes);
};

/** What is found of the appointments of a party of whom appointments are asked. */
export function appointmentsFound<Appointment extends AppointmentRow>({
  day,
  state,
  insurers,
  lines,
  onBinding,
  saleSeenOn,
}: AppointmentQuestion<Appointment>): FoundAppointments<Appointment> {
  const codes = state.codesOfLine();
  const amongOn = (
    on: CalendarDate,
    appointments: readonly AppointmentCoverage<Appointment>[],
    asked = lines,
  ) => {
    const inForce: { row: Appointment; lines: Lines }[] = [];
    const possible: Possible[] = [];
    for (const one of appointments) {
      const { rows, code } = appointmentOn(one, on);
      const its = linesOf(one, codes);
      if (code === undefined) inForce.push(...rows.map((row) => ({ row, lines: its })));
      else possible.push({ lines: its, notKnown: [{ code, lines: asked, what: statusOn(one, on) }] });
    }
    return search(asked, inForce, possible);
  };
  const {
    writing,
    codes: companyCodes,
    appointments,
    ofAny,
    byCompany,
  } = countingFor(state.appointments, insurers);
  const foundOn = (on: CalendarDate, asked = lines) => {
    const ofEach =
      writing === 'not named' || writing === 'not known'
        ? byCompany.map((one) => amongOn(on, one, asked))
        : [];
    // What a company lacks that is not known, none of the others makes up for.
    const [found = amongOn(on, appointments, asked)] = (writing === 'not known' ? ofEach : []).toSorted(
      (one, other) => one.missing.length - other.missing.length,
    );
    const isByAll = ofEach.every(({ unmet }) => unmet.length === 0);
    const isMet = writing === 'not known' ? isByAll : found.unmet.length === 0 && writing !== 'another';
    return { found, isByAll, isMet };
  };
  const { found, isByAll, isMet } = foundOn(day);
  const warnings = [
    ...(writing === 'not named' && !isByAll ? [{ code: 'company_not_named' } as const] : []),
    ...(state.unread.some(({ kind }) => kind === 'appointment')
      ? [{ code: 'row_not_understood' } as const]
      : []),
    ...(state.unmatchedEnds.some(({ kind }) => kind === 'appointment')
      ? [{ code: 'end_unmatched' } as const]
      : []),
  ];
  const rows = (writing === 'not known' ? amongOn(day, appointments) : found).meeting.map(({ row }) => row);
  const none = { against: [], notKnown: [], warnings, rows, onBinding: onBinding && lines, due: undefined };
  if (isMet) return none;
  const unmet = entriesOf(found.unmet);
  if (onBinding !== undefined) {
    if (endedForCause(writing === 'another' ? ofAny : appointments, day)) {
      return { ...none, against: [{ code: 'terminated_for_cause', lines: unmet }] };
    }
    const { against, ...due } = dueOf({
      day,
      lines: unmet,
      withinDays: onBinding.withinDays,
      sales: salesFor(state.sales, companyCodes),
      spans: appointments.flatMap(({ spans }) => spans),
      isMetOn: (on, ofSale) => foundOn(on, ofSale).isMet,
      saleSeenOn,
    });
    return { ...none, against, due };
  }
  if (writing !== 'another' && found.missing.length > 0) {
    return { ...none, against: [absence(appointments, found, day, codes)] };
  }
  const isCompanyUnknown = writing === 'another' || writing === 'not known';
  return {
    ...none,
    notKnown: [...(isCompanyUnknown ? [{ code: 'company_unknown' } as const] : []), ...found.notKnown],
  };
}

/** The status of the last change by a day. */
const statusOn = ({ changes }: AppointmentCoverage<AppointmentRow>, day: CalendarDate): string =>
  changes.findLast(({ from }) => from <= day)?.row.status ?? '';

/** Whether the last change of appointments by a day was an end for cause. */
function endedForCause(
  appointments: readonly AppointmentCoverage<AppointmentRow>[],
  day: CalendarDate,
): boolean {
  const last = appointments.flatMap(({ changes }) => changes.findLast(({ from }) => from <= day) ?? []);
  const [latest] = last
    .map(({ from }) => from)
    .sort(compare)
    .slice(-1);
  return last.some(({ from, isForCause }) => from === latest && isForCause);
}

/** Why no appointment meets entries: one that would have met some of them may have ended. */
function absence(
  appointments: readonly AppointmentCoverage<AppointmentRow>[],
  { missing }: Search<unknown>,
  day: CalendarDate,
  codes: Codes,
): Said {
  const lines = entriesOf(missing);
  const lastDay = appointments
    .filter((one) => missing.some((entry) => meets(entry, linesOf(one, codes))))
    .flatMap(({ spans }) => spans.map(({ until }) => until))
    .filter((until) => until < day)
    .sort(compare)
    .at(-1);
  return lastDay === undefined
    ? { code: 'appointment_missing', lines }
    : { code: 'appointment_ended', lines, day: lastDay };
}
