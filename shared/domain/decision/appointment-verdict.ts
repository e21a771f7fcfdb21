import { compare } from '#platform/data/keys.ts';
import { addDays, type CalendarDate } from '#platform/dates/dates.ts';
import { comparable } from '../identifiers/identifiers.ts';
import { isForCause } from '../registry/words.ts';
import { type Counting, countingFor, type Insurers } from './carrier.ts';
import type { LineRequirement } from './compliance-config.ts';
import type { AppointmentHolding, StateCoverage } from './coverage.ts';
import { type Days, dayBefore, laterOf, never, writtenDate } from './dates.ts';
import { markOn } from './days.ts';
import type { Said, SaidWarning } from './reasons.ts';
import type { AppointmentRow } from './rows.ts';
import {
  type Candidate,
  doubtsOf,
  entriesOf,
  type Found,
  type Lines,
  meets,
  namesOf,
  search,
  unreadIn,
} from './search.ts';
import { isEnd } from './statements.ts';

/** An appointment that is missing on a day, where the carrier appoints when it binds. */
export interface Due {
  /** Entries of the requirement that no appointment meets; none where any appointment would do. */
  readonly linesOfAuthority: readonly LineRequirement[];
  /** The last day on which it is on time; null where nothing was sold, or without a limit. */
  readonly dueOn: CalendarDate | null;
  /** First later day on which the party is appointed, as known, of a sale; else null. */
  readonly appointedOn: CalendarDate | null;
}

/** Question about the appointments of a party on a day. */
interface AppointmentQuestion {
  readonly day: CalendarDate;
  readonly state: Pick<StateCoverage, 'appointments' | 'unread' | 'sales'>;
  readonly insurers: Insurers;
  readonly lines: readonly LineRequirement[];
  /** Days after a sale within which the carrier appoints when it binds; null without a limit. */
  readonly onBinding: { readonly withinDays: number | null } | undefined;
  /** Day until which later appointments are looked at, of a sale on the day. */
  readonly saleSeenOn: CalendarDate | undefined;
}

export interface FoundAppointments extends Found<AppointmentRow> {
  /** Lines that the carrier asks when it binds, and the appointment that is missing; else undefined. */
  readonly onBinding: readonly LineRequirement[] | undefined;
  readonly due: Due | undefined;
}

/** Part of an identity that names the line of an appointment. */
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
    const until = next === undefined ? never : dayBefore(next.from);
    return mark?.is === 'in force' ? [{ from, until }] : [];
  });

/** Finds the appointments that count for these lines on a day. */
function foundOn(question: AppointmentQuestion, day: CalendarDate, lines: readonly LineRequirement[]) {
  const { state, insurers } = question;
  const unread = unreadIn(state, 'appointment');
  const among = (appointments: readonly AppointmentHolding[]) =>
    search(
      lines,
      appointments.flatMap((one): (Candidate & { row: AppointmentRow })[] => {
        const mark = markOn(one.days, day);
        if (mark?.is !== 'in force' && mark?.is !== 'not known') return [];
        const doubts = [...doubtsOf(mark, { code: 'appointment_unknown', lines }), ...unread];
        return [{ row: mark.row.source, lines: linesOf(one), notKnown: doubts }];
      }),
      unread,
    );
  const counting = countingFor(state.appointments, insurers, day);
  const { writing, appointments, byCompany } = counting;
  const outcome = among(appointments);
  const isOfEach = writing === 'not named' || writing === 'not known';
  const isByAll = !isOfEach || byCompany.every((one) => among(one).unmet.length === 0);
  const isMet = writing === 'not known' ? isByAll : outcome.unmet.length === 0;
  return { ...outcome, counting, isByAll, isMet };
}

/** The verdict on the appointments of a party that needs some. */
export function appointmentsFound(question: AppointmentQuestion): FoundAppointments {
  const { day, lines, onBinding } = question;
  const outcome = foundOn(question, day, lines);
  const { writing, ofAny, appointments } = outcome.counting;
  const rows = outcome.meeting.map(({ row }) => row);
  const passedDates = rows.flatMap(({ renewalDate }) =>
    renewalDate === null ? [] : writtenDate(renewalDate),
  );
  const warnings: SaidWarning[] = [
    ...(writing === 'not named' && !outcome.isByAll ? [{ code: 'company_not_named' } as const] : []),
    ...passedDates
      .filter((renewalDate) => renewalDate < day)
      .map((renewalDate) => ({ code: 'renewal_date_passed', day: renewalDate }) as const),
  ];
  const because = (reasons: readonly Said[], due?: Due): FoundAppointments => ({
    reasons,
    warnings,
    rows,
    onBinding: onBinding && lines,
    due,
  });
  if (outcome.isMet) return because([]);
  if (onBinding !== undefined) {
    const unmet = entriesOf(outcome.unmet);
    if (endedForCause(ofAny, day)) return because([{ code: 'terminated_for_cause', lines: unmet }]);
    const due = dueAppointmentOf(question, onBinding.withinDays, unmet, outcome.counting);
    return because(lateness(question, due), due);
  }
  const isCompanyUnknown = writing === 'another' || writing === 'not known';
  if (isCompanyUnknown) return because([{ code: 'company_unknown' }, ...outcome.notKnown]);
  return because(
    outcome.missing.length > 0 ? [absence(appointments, outcome.missing, day)] : outcome.notKnown,
  );
}

/** Finds when a missing appointment is due: some days after the first sale without one since one last covered, as known now. */
function dueAppointmentOf(
  question: AppointmentQuestion,
  withinDays: number | null,
  unmet: readonly LineRequirement[],
  { codes, appointments }: Counting,
): Due {
  const { day, lines, state, saleSeenOn } = question;
  const isMetOn = (date: CalendarDate, entries = lines): boolean => foundOn(question, date, entries).isMet;
  const spans = appointments.flatMap(spansOf);
  const lastMet = spans
    .map(({ until }) => until)
    .filter((until) => until < day)
    .sort(compare)
    .findLast((until) => isMetOn(until));
  const { day: first } = state.sales
    .filter((sale) => sale.day <= day && (lastMet === undefined || sale.day > lastMet))
    // Whose sale it was that names no company is not known, so that it counts for each.
    .filter(
      ({ carrierNaicCode }) => codes.length === 0 || ['', ...codes].includes(comparable(carrierNaicCode)),
    )
    .sort((sale, otherSale) => compare(sale.day, otherSale.day))
    .find((sale) => !isMetOn(sale.day, sale.lines)) ?? { day: saleSeenOn && day };
  const appointedOn = spans
    .map(({ from }) => from)
    .filter((from) => saleSeenOn !== undefined && day < from && from <= saleSeenOn)
    .sort(compare)
    .find((from) => isMetOn(from));
  return {
    linesOfAuthority: unmet,
    dueOn: first === undefined || withinDays === null ? null : addDays(first, withinDays),
    appointedOn: appointedOn ?? null,
  };
}

/** Why a missing appointment is too late: nobody is appointed until the day on which it is looked at, or that was later. */
function lateness(
  { day, saleSeenOn }: AppointmentQuestion,
  { linesOfAuthority: lines, dueOn, appointedOn }: Due,
): Said[] {
  if (dueOn === null || (appointedOn ?? saleSeenOn ?? day) <= dueOn) return [];
  return [{ code: day > dueOn ? 'appointment_overdue' : 'appointment_late', lines, day: dueOn }];
}

/** Whether the last end of appointments by a day, also one that leaves days not known, was for cause. */
function endedForCause(appointments: readonly AppointmentHolding[], day: CalendarDate): boolean {
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
  entries: readonly LineRequirement[],
  day: CalendarDate,
): Said {
  const lines = entriesOf(entries);
  const lastDay = appointments
    .filter((appointment) => entries.some((entry) => meets(entry, linesOf(appointment))))
    .flatMap((appointment) => spansOf(appointment).map(({ until }) => until))
    .filter((until) => until < day)
    .sort(compare)
    .at(-1);
  return lastDay === undefined
    ? { code: 'appointment_missing', lines }
    : { code: 'appointment_ended', lines, day: lastDay };
}
