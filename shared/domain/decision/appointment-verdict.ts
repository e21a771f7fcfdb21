import { compare } from '../../platform/data/keys.ts';
import { addDays, type CalendarDate } from '../../platform/dates/dates.ts';
import { comparableCompanyCode } from './appointment-identity.ts';
import { type AppointmentCoverage, appointmentOn } from './appointments.ts';
import { countingFor, type Insurers } from './carrier.ts';
import type { LineRequirement } from './compliance-config.ts';
import type { StateCoverage } from './coverage.ts';
import type { Days } from './dates.ts';
import type { AppointmentRow, LicenseRow, SaleDay } from './facts.ts';
import type { Said } from './reasons.ts';
import { entriesOf, type Found, type Lines, meets, type Possible, type Search, search } from './search.ts';

/** An appointment that is missing on a day, where the carrier appoints when it binds. */
export interface Due {
  /** Entries of the requirement that no appointment meets; none where any appointment would do. */
  readonly lines: readonly LineRequirement[];
  /** The last day on which it is on time; null where nothing was sold, or without a limit. */
  readonly dueOn: CalendarDate | null;
  /** Of a sale: the first later day on which the party is appointed, as known; else null. */
  readonly appointedOn: CalendarDate | null;
}

interface DueQuestion {
  /** The day on which nothing meets the requirement. */
  readonly day: CalendarDate;
  readonly lines: readonly LineRequirement[];
  /** Days from a sale on; null where there is no limit. */
  readonly withinDays: number | null;
  /** Those for a company whose appointments count. */
  readonly sales: readonly SaleDay[];
  /** The spans of the appointments that count. */
  readonly spans: readonly Days[];
  /** Whether they meet the requirement on a day, or what a sale asked. */
  readonly isMetOn: (day: CalendarDate, ofSale?: readonly LineRequirement[]) => boolean;
  /** Of a sale on the day: the day until which it is looked at what became of it. */
  readonly saleSeenOn: CalendarDate | undefined;
}

/** When a missing appointment is due: some days after the first sale without one since one last covered, as known now. */
function dueOf({
  day,
  lines,
  withinDays,
  sales,
  spans,
  isMetOn,
  saleSeenOn,
}: DueQuestion): Due & { readonly against: readonly Said[] } {
  const isSale = saleSeenOn !== undefined;
  const ends = spans.map(({ until }) => until).filter((until) => until < day);
  const lastMet = ends.sort((one, other) => compare(other, one)).find((until) => isMetOn(until));
  const { day: first } = sales
    .filter((sale) => sale.day <= day && (lastMet === undefined || sale.day > lastMet))
    .sort((one, other) => compare(one.day, other.day))
    .find((sale) => !isMetOn(sale.day, sale.lines)) ?? { day: isSale ? day : undefined };
  const dueOn = first === undefined || withinDays === null ? null : addDays(first, withinDays);
  const begins = spans.map(({ from }) => from).filter((from) => isSale && day < from && from <= saleSeenOn);
  const appointedOn = begins.sort(compare).find((from) => isMetOn(from)) ?? null;
  const due = { lines, dueOn, appointedOn };
  const lateFrom = appointedOn ?? saleSeenOn ?? day;
  if (dueOn === null || lateFrom <= dueOn) return { ...due, against: [] };
  const code = day > dueOn ? 'appointment_overdue' : 'appointment_late';
  return { ...due, against: [{ code, lines, day: dueOn }] };
}

/** The sales of a party in a state for a company whose appointments count. */
const salesFor = (sales: readonly SaleDay[], companyCodes: readonly string[]): SaleDay[] =>
  sales.filter(({ carrierNaicCode }) => {
    const code = comparableCompanyCode(carrierNaicCode ?? null);
    // Whose sale it was that names no company is not known, so that it counts for each.
    return code === '' || companyCodes.length === 0 || companyCodes.includes(code);
  });

/** Whose appointments are judged, when, and which of them count. */
interface AppointmentQuestion<Appointment extends AppointmentRow> {
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

/** The verdict on the appointments of a party that needs some. */
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
