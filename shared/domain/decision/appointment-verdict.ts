import { compare } from '../../platform/data/keys.ts';
import { addDays, type CalendarDate } from '../../platform/dates/dates.ts';
import { comparable } from '../identifiers/identifiers.ts';
import { isForCause } from '../registry/words.ts';
import { countingFor, type Insurers } from './carrier.ts';
import type { LineRequirement } from './compliance-config.ts';
import type { AppointmentHolding, StateCoverage } from './coverage.ts';
import { type Days, dayBefore, laterOf, never } from './dates.ts';
import { isEnd, markOn } from './days.ts';
import type { Said, SaidWarning } from './reasons.ts';
import type { SaleDay } from './records.ts';
import type { AppointmentRow, LicenseRow } from './rows.ts';
import {
  entriesOf,
  type Found,
  type Lines,
  meets,
  namesOf,
  type Possible,
  type Search,
  search,
} from './search.ts';

/** An appointment that is missing on a day, where the carrier appoints when it binds. */
export interface Due {
  /** Entries of the requirement that no appointment meets; none where any appointment would do. */
  readonly linesOfAuthority: readonly LineRequirement[];
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
  /** Days on which an appointment that counts is in force. */
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
  const due = { linesOfAuthority: lines, dueOn, appointedOn };
  const lateFrom = appointedOn ?? saleSeenOn ?? day;
  if (dueOn === null || lateFrom <= dueOn) return { ...due, against: [] };
  const code = day > dueOn ? 'appointment_overdue' : 'appointment_late';
  return { ...due, against: [{ code, lines, day: dueOn }] };
}

/** The sales of a party in a state for a company whose appointments count. */
const salesFor = (sales: readonly SaleDay[], companyCodes: readonly string[]): SaleDay[] =>
  sales.filter(({ carrierNaicCode }) => {
    const code = comparable(carrierNaicCode);
    // Whose sale it was that names no company is not known, so that it counts for each.
    return code === '' || companyCodes.length === 0 || companyCodes.includes(code);
  });

/** Whose appointments are judged, when, and which of them count. */
interface AppointmentQuestion<Appointment extends AppointmentRow> {
  readonly day: CalendarDate;
  readonly state: Pick<StateCoverage<LicenseRow, Appointment>, 'appointments' | 'unread' | 'sales'>;
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

/** What names the line of an appointment, by the parts of identities. */
const line = 1;

/** The lines that an appointment is for. */
const linesOf = ({ said }: AppointmentHolding): Lines => {
  const names = namesOf(said, line);
  return names.size === 0 ? 'all' : names;
};

/** Days on which an appointment is in force. */
const spansOf = ({ days }: AppointmentHolding): Days[] =>
  days.flatMap(({ from, mark }, index) => {
    const next = days[index + 1];
    return mark?.is === 'in force'
      ? [{ from, until: next === undefined ? never : dayBefore(next.from) }]
      : [];
  });

/** The verdict on the appointments of a party that needs some. */
export function appointmentsFound<Appointment extends AppointmentRow>({
  day,
  state,
  insurers,
  lines,
  onBinding,
  saleSeenOn,
}: AppointmentQuestion<Appointment>): FoundAppointments<Appointment> {
  const isUnread = state.unread.has('appointment');
  const unreadRow = { code: 'row_not_understood' } as const;
  const amongOn = (
    on: CalendarDate,
    appointments: readonly AppointmentHolding<Appointment>[],
    asked = lines,
  ) => {
    const inForce: { row: Appointment; lines: Lines }[] = [];
    const possible: Possible[] = [];
    for (const one of appointments) {
      const mark = markOn(one.days, on);
      if (mark?.is !== 'in force' && mark?.is !== 'not known') continue;
      const { source, status } = mark.row;
      const doubts: Said[] = [
        ...(mark.is === 'in force'
          ? []
          : [
              status === 'unrecognized'
                ? ({ code: 'status_unrecognized', what: source.status } as const)
                : ({ code: 'appointment_unknown', lines: asked } as const),
            ]),
        // A row that could not be read may be the end of it.
        ...(isUnread ? [unreadRow] : []),
      ];
      if (doubts.length === 0) inForce.push({ row: source, lines: linesOf(one) });
      else possible.push({ lines: linesOf(one), notKnown: doubts });
    }
    // Or it may be the appointment that is asked for.
    if (isUnread) possible.push({ lines: 'all', notKnown: [unreadRow] });
    return search(asked, inForce, possible);
  };
  const counting = countingFor(state.appointments, insurers, day);
  const foundOn = (on: CalendarDate, asked = lines) => {
    const { writing, appointments, byCompany } =
      on === day ? counting : countingFor(state.appointments, insurers, on);
    const ofEach =
      writing === 'not named' || writing === 'not known'
        ? byCompany.map((one) => amongOn(on, one, asked))
        : [];
    const found = amongOn(on, appointments, asked);
    const isByAll = ofEach.every(({ unmet }) => unmet.length === 0);
    const isMet = writing === 'not known' ? isByAll : found.unmet.length === 0;
    return { found, isByAll, isMet };
  };
  const { writing, appointments } = counting;
  const { found, isByAll, isMet } = foundOn(day);
  const rows = found.meeting.map(({ row }) => row);
  const warnings: SaidWarning[] = [
    ...(writing === 'not named' && !isByAll ? [{ code: 'company_not_named' } as const] : []),
    ...rows.flatMap(({ renewalDate }) =>
      renewalDate !== null && renewalDate.slice(0, 10) < day
        ? [{ code: 'renewal_date_passed', day: renewalDate.slice(0, 10) } as const]
        : [],
    ),
  ];
  const none = { against: [], notKnown: [], warnings, rows, onBinding: onBinding && lines, due: undefined };
  if (isMet) return none;
  const unmet = entriesOf(found.unmet);
  if (onBinding !== undefined) {
    if (endedForCause(counting.ofAny, day)) {
      return { ...none, against: [{ code: 'terminated_for_cause', lines: unmet }] };
    }
    const { against, ...due } = dueOf({
      day,
      lines: unmet,
      withinDays: onBinding.withinDays,
      sales: salesFor(state.sales, counting.codes),
      spans: appointments.flatMap(spansOf),
      isMetOn: (on, ofSale) => foundOn(on, ofSale).isMet,
      saleSeenOn,
    });
    return { ...none, against, due };
  }
  const isCompanyUnknown = writing === 'another' || writing === 'not known';
  if (!isCompanyUnknown && found.missing.length > 0) {
    return { ...none, against: [absence(appointments, found, day)] };
  }
  return {
    ...none,
    notKnown: [...(isCompanyUnknown ? [{ code: 'company_unknown' } as const] : []), ...found.notKnown],
  };
}

/** Whether the last end of appointments by a day, also one that leaves days not known, was for cause. */
function endedForCause(
  appointments: readonly AppointmentHolding<AppointmentRow>[],
  day: CalendarDate,
): boolean {
  const lastOfEach = appointments.flatMap(({ said }) => {
    const ends = said
      .filter(({ row }) => isEnd(row))
      .map(({ row, statement }) => ({ from: row.since ?? statement.knownOn, row: row.source, statement }))
      .filter(({ from }) => from <= day);
    const latest = ends.map(({ from }) => from).reduce(laterOf, '');
    // What is said last of that day counts: a reason may be corrected.
    const last = ends.findLast(({ from }) => from === latest);
    return ends.filter(({ from, statement }) => from === latest && statement.id === last?.statement.id);
  });
  const latest = lastOfEach.map(({ from }) => from).reduce(laterOf, '');
  return lastOfEach.some(
    ({ from, row }) => from === latest && (isForCause(row.terminationReason) || isForCause(row.status)),
  );
}

/** Why no appointment meets entries: one that would have met some of them may have ended. */
function absence(
  appointments: readonly AppointmentHolding[],
  { missing }: Search<unknown>,
  day: CalendarDate,
): Said {
  const lines = entriesOf(missing);
  const lastDay = appointments
    .filter((one) => missing.some((entry) => meets(entry, linesOf(one))))
    .flatMap((one) => spansOf(one).map(({ until }) => until))
    .filter((until) => until < day)
    .sort(compare)
    .at(-1);
  return lastDay === undefined
    ? { code: 'appointment_missing', lines }
    : { code: 'appointment_ended', lines, day: lastDay };
}
