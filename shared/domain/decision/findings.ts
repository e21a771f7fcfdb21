import { lazily } from '#platform/contract/lazily.ts';
import { compare } from '#platform/data/keys.ts';
import { addDays, type CalendarDate } from '#platform/dates/dates.ts';
import { comparable } from '../identifiers/identifiers.ts';
import { isForCause, statusKindOf } from '../registry/words.ts';
import { type Counting, countingFor, type Insurers, lastDaysOfCodes } from './carrier.ts';
import { classKindOf } from './classes.ts';
import { codesOf, type LicenseRequirement, type LineRequirement } from './compliance-config.ts';
import {
  type AppointmentHolding,
  type Coverage,
  type HomeState,
  homeStateOn,
  type LicenseHolding,
  rowBy,
  type StateCoverage,
} from './coverage.ts';
import type { DatedSource } from './dated.ts';
import { dayBefore, includes, laterOf, never, writtenDate } from './dates.ts';
import { type Mark, markOn } from './days.ts';
import { type Certainty, namesOn, spansOf, stateOn } from './holdings.ts';
import { isAgainst, type ReasonDraft, type WarningDraft } from './reasons.ts';
import type { AppointmentRow, LicenseRow, RecordKind } from './records.ts';
import { isEnd, isLive } from './statements.ts';

// What is found of the licenses and the appointments of a party on a day, by what is required of them.

/** Findings about the licenses, or the appointments, of a party. */
export interface Finding<Row = LicenseRow> {
  /** Reasons, those against first. */
  readonly reasons: readonly ReasonDraft[];
  readonly warnings: readonly WarningDraft[];
  /** Rows that a yes rests on. */
  readonly rows: readonly Row[];
}

/** A license or an appointment that is in force, or that might be. */
interface Candidate {
  /** Lines that it covers, by their codes and names as they are compared. */
  readonly lines: 'all' | ReadonlySet<string>;
  /** Why it is not known whether it is; empty where it is. */
  readonly notKnown: readonly ReasonDraft[];
}

/** Why it is not known whether a license or an appointment is in force on a day that is marked so, or as not known. */
const doubtsOf = (
  { is, row }: Mark<DatedSource<{ readonly status: string }>>,
  unknown: ReasonDraft,
): readonly ReasonDraft[] => {
  if (is === 'in force') return [];
  return [row.status === 'unrecognized' ? { code: 'status_unrecognized', what: row.source.status } : unknown];
};

/** Doubt about a row of a kind that could not be read: it may be an end, or what is asked for. */
const unreadIn = ({ unread }: Pick<StateCoverage, 'unread'>, kind: RecordKind): ReasonDraft[] =>
  unread.includes(kind) ? [{ code: 'row_not_understood' }] : [];

/** Stands for any lines, where none are required. */
const anyLine: LineRequirement = { anyOf: [] };

/** Whether an entry of a requirement is met by lines. */
const meets = (entry: LineRequirement, { lines }: Pick<Candidate, 'lines'>): boolean =>
  entry === anyLine || lines === 'all' || codesOf(entry).some((code) => lines.has(comparable(code)));

/** The entries that something has to meet. */
const entriesOf = (entries: readonly LineRequirement[]): LineRequirement[] =>
  entries.filter((entry) => entry !== anyLine);

/**
 * Finds what meets the entries of a requirement, and what might meet those that nothing meets.
 * @param unread of a row that could not be read, which may be what is asked for.
 */
function search<One extends Candidate>(
  entries: readonly LineRequirement[],
  candidates: readonly One[],
  unread: readonly ReasonDraft[],
) {
  const asked = entries.length === 0 ? [anyLine] : entries;
  const inForce = candidates.filter(({ notKnown }) => notKnown.length === 0);
  const possible: Candidate[] = candidates.filter(({ notKnown }) => notKnown.length > 0);
  if (unread.length > 0) possible.push({ lines: 'all', notKnown: unread });
  const unmet = asked.filter((entry) => !inForce.some((one) => meets(entry, one)));
  return {
    asked,
    inForce,
    meeting: inForce.filter((one) => asked.some((entry) => meets(entry, one))),
    /** Entries that nothing in force meets, and those that nothing meets that might be in force either. */
    unmet,
    missing: unmet.filter((entry) => !possible.some((one) => meets(entry, one))),
    /** Why it is not known whether the others are met. */
    notKnown: possible.flatMap((one) => (unmet.some((entry) => meets(entry, one)) ? one.notKnown : [])),
  };
}

/** Question about the licenses of a party in a state on a day. */
interface LicenseQuestion {
  readonly day: CalendarDate;
  readonly state: Pick<StateCoverage, 'licenses' | 'orders' | 'unread'>;
  readonly coverage: Pick<Coverage, 'home' | 'classKinds' | 'isHomeUnread'>;
  readonly isHomeAsked: boolean;
}

/** A license that counts. */
interface LicenseCandidate extends Candidate {
  readonly row: LicenseRow;
  readonly home: HomeState;
  readonly lines: ReadonlySet<string>;
}

const homeNotAsked: HomeState = { is: 'licensed', rows: [] };

/** Whether licenses of a row's class count. */
function isOfClass(
  row: LicenseRow,
  { licenseClasses: classes }: LicenseRequirement,
  { coverage }: LicenseQuestion,
): boolean | 'maybe' {
  if (classes === undefined) {
    const kind = classKindOf(row, coverage.classKinds);
    return kind === 'unrecognized' ? 'maybe' : kind === 'producer';
  }
  const own = [row.licenseClassCode, row.licenseClassName].map(comparable).filter((name) => name !== '');
  return own.length === 0 ? 'maybe' : classes.some((name) => own.includes(comparable(name)));
}

const classOf = ({ licenseClassCode, licenseClassName }: LicenseRow): string =>
  licenseClassName ?? licenseClassCode ?? 'none';

/** Finds the licenses that meet what is asked, and those that might. */
function licensesFor(
  licenses: readonly LicenseHolding[],
  requirement: LicenseRequirement,
  question: LicenseQuestion,
) {
  const { day, state, coverage, isHomeAsked } = question;
  // What is known of the home states is looked at only for a license that depends on them.
  const atHome = lazily(() => (isHomeAsked ? homeStateOn(coverage, day) : homeNotAsked));
  const unread = unreadIn(state, 'license');
  const candidates: LicenseCandidate[] = [];
  /** Licenses that no license at home stands behind. */
  const away: LicenseCandidate[] = [];
  let isWithoutLine = false;
  for (const license of licenses) {
    const mark = markOn(license.days, day);
    if (mark?.is !== 'in force' && mark?.is !== 'not known') continue;
    const row = mark.row.source;
    const namedRow = rowBy(license, mark) ?? row;
    const isCounting = isOfClass(namedRow, requirement, question);
    if (isCounting === false) continue;
    const home = namedRow.residencyStatus === 'resident' ? homeNotAsked : atHome();
    const notKnown: ReasonDraft[] = [
      ...doubtsOf(mark, { code: 'license_unknown' }),
      ...(isCounting === true ? [] : [{ code: 'class_unrecognized', what: classOf(namedRow) } as const]),
      ...(home.is === 'not known' ? [{ code: 'home_state_license_unknown' } as const] : []),
      ...unread,
    ];
    const linesThatAre = (is: 'in force' | 'not known'): Set<string> =>
      new Set(license.lines.flatMap((line) => (stateOn(line, day) === is ? [...namesOn(line, 0, day)] : [])));
    const own = { row, home, lines: linesThatAre('in force'), notKnown };
    const possible = linesThatAre('not known');
    const isAway = home.is === 'not licensed';
    // A license that had lines, of which none is in force, meets nothing.
    if (license.lines.length === 0 || own.lines.size > 0) (isAway ? away : candidates).push(own);
    else if (!isAway && notKnown.length === 0) isWithoutLine = true;
    if (!isAway && possible.size > 0)
      candidates.push({ ...own, lines: possible, notKnown: [{ code: 'license_unknown' }, ...notKnown] });
  }
  const outcome = search(requirement.linesOfAuthority ?? [], candidates, unread);
  return { ...outcome, away, isLicensed: isWithoutLine || outcome.inForce.length + away.length > 0 };
}

/** The last day of a license that has passed, where no end has said otherwise, but that it lapsed or is inactive. */
function expiredOn({ days }: LicenseHolding, day: CalendarDate): CalendarDate | undefined {
  const isUnrenewed = ({ status, source: { statusReason } }: DatedSource<LicenseRow>): boolean =>
    status === 'lapsed' || (status === 'inactive' && statusKindOf(statusReason ?? '', 'license') !== 'ended');
  const isLapse = (mark: Mark<DatedSource<LicenseRow>> | undefined): boolean =>
    mark === undefined || (mark.is === 'ended' && isUnrenewed(mark.row));
  const mark = markOn(days, day);
  const before = days.findLast(
    (span) => span.from <= day && (span.mark?.is === 'in force' || span.mark?.is === 'not known'),
  )?.mark;
  const ends = [before, mark].flatMap((one) => one?.row.ends ?? []).find((end) => end <= day);
  const isLapsed = isLapse(mark) || mark?.is === 'left out';
  return ends !== undefined && isLapsed && isLapse(markOn(days, ends)) ? dayBefore(ends) : undefined;
}

/** Why no license that counts is in force. */
function whyUnlicensed(requirement: LicenseRequirement, question: LicenseQuestion): ReasonDraft {
  const { day, state } = question;
  const licenses = state.licenses.flatMap((license) => {
    const row = rowBy(license, markOn(license.days, day));
    return row === undefined ? [] : { license, row, isCounting: isOfClass(row, requirement, question) };
  });
  const counting = licenses.flatMap(({ license, isCounting }) => (isCounting === true ? license : []));
  const expiryDays = counting.flatMap((license) => expiredOn(license, day) ?? []).sort(compare);
  const lastDay = expiryDays.at(-1);
  if (lastDay !== undefined) return { code: 'license_expired', day: lastDay };
  const markedSpans = counting.flatMap(({ days }) => days.filter(({ mark }) => mark !== undefined));
  const [firstDay] = markedSpans
    .flatMap(({ from, mark }) => (mark?.is === 'in force' ? from : []))
    .sort(compare);
  const hasBegun = markedSpans.some(({ from }) => from <= day);
  if (firstDay !== undefined && !hasBegun) return { code: 'license_not_begun', day: firstDay };
  const wrongClasses = licenses.flatMap(({ license, row, isCounting }) =>
    isCounting === false && stateOn(license, day) === 'in force' ? classOf(row) : [],
  );
  return wrongClasses.length === 0
    ? { code: 'license_missing' }
    : { code: 'license_class_wrong', what: [...new Set(wrongClasses)].join(', ') };
}

/** Sums up licenses that meet: what is worth knowing of them, and the rows of a yes, of non-resident ones with the home state’s. */
function metBy({ asked, inForce, meeting }: ReturnType<typeof licensesFor>): Omit<Finding, 'reasons'> {
  const lacking = inForce.flatMap(({ row, lines }) =>
    row.linesOfAuthority.flatMap(({ code, name, ceCompliance }) => {
      if (ceCompliance !== 'not in compliance') return [];
      const names = new Set([code, name].map(comparable)).intersection(lines);
      return names.size > 0 && asked.some((entry) => meets(entry, { lines: names })) ? code || name : [];
    }),
  );
  const isHomeUnknown = inForce.some(({ home }) => home.is === 'none known');
  return {
    warnings: [
      ...(isHomeUnknown ? [{ code: 'home_state_license_unknown' } as const] : []),
      ...Array.from(new Set(lacking), (what) => ({ code: 'ce_not_in_compliance', what }) as const),
    ],
    rows: meeting.flatMap(({ row, home }) => [row, ...home.rows]),
  };
}

/** Orders in force on the day that forbid to sell, or of which that is not known. */
function ordersOn({ state, day }: LicenseQuestion): ReasonDraft[] {
  const ordersOfDay = state.orders.filter((order) => includes(order, day)).map(({ is }) => is);
  if (ordersOfDay.includes('in force')) return [{ code: 'regulatory_action_in_force' }];
  const unknown: ReasonDraft[] = ordersOfDay.length === 0 ? [] : [{ code: 'regulatory_action_unknown' }];
  return [...unknown, ...unreadIn(state, 'regulatory action')];
}

/** Finds what is so of the licenses of a party that needs some. */
export function findLicenses(requirement: LicenseRequirement, question: LicenseQuestion): Finding {
  const orders = ordersOn(question);
  const outcome = licensesFor(question.state.licenses, requirement, question);
  const { missing, away, isLicensed } = outcome;
  const isAway = (entry: LineRequirement): boolean => away.some((license) => meets(entry, license));
  const reasons = orders.filter(isAgainst);
  if (missing.some(isAway)) reasons.push({ code: 'home_state_license_not_active' });
  const lacking = missing.filter((entry) => !isAway(entry));
  if (lacking.length > 0 && isLicensed) reasons.push({ code: 'line_missing', lines: entriesOf(lacking) });
  if (lacking.length > 0 && !isLicensed) reasons.push(whyUnlicensed(requirement, question));
  return {
    reasons: [...reasons, ...outcome.notKnown, ...(reasons.length === 0 ? orders : [])],
    ...metBy(outcome),
  };
}

/** Finds what is so of a further license that a rule asks for: one license is to meet all of it. */
export function findFurtherLicense(requirement: LicenseRequirement, question: LicenseQuestion): Finding {
  const orders = ordersOn(question);
  // A row that could not be read may be of a license that nothing else is known of.
  const choices = orders.some(isAgainst) ? [] : [...question.state.licenses.map((one) => [one]), []];
  const outcomes = choices.map((licenses) => licensesFor(licenses, requirement, question));
  const fitting = outcomes.filter(({ missing }) => missing.length === 0);
  const met = fitting.find(({ unmet }) => unmet.length === 0);
  if (met !== undefined) return { reasons: orders, ...metBy(met) };
  const because = (...reasons: ReasonDraft[]): Finding => ({ reasons, warnings: [], rows: [] });
  if (fitting.length > 0) return because(...fitting.flatMap(({ notKnown }) => notKnown), ...orders);
  const isAway = outcomes.some(({ asked, away }) =>
    asked.every((entry) => away.some((license) => meets(entry, license))),
  );
  const { linesOfAuthority: lines = [], licenseClasses: classes = [] } = requirement;
  return because(
    isAway
      ? { code: 'home_state_license_not_active' }
      : { code: 'further_license_missing', what: classes.join(' or '), lines },
  );
}

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
  readonly saleSeenOn?: CalendarDate | undefined;
}

export interface AppointmentFinding extends Finding<AppointmentRow> {
  /** Lines that are asked of appointments. */
  readonly asked?: readonly LineRequirement[] | undefined;
  /** The appointment that is missing where the carrier appoints when it binds; else undefined. */
  readonly due?: Due | undefined;
}

/** The lines that an appointment is for on a day. */
const linesOf = (appointment: AppointmentHolding, day: CalendarDate): Candidate['lines'] => {
  const names = namesOn(appointment, 1, day);
  return names.size === 0 ? 'all' : names;
};

/** Last days before one on which appointments are in force, in their order. */
const lastDaysBefore = (
  appointments: readonly AppointmentHolding[],
  day: CalendarDate,
  certainty?: Certainty,
): CalendarDate[] =>
  appointments
    .flatMap((appointment) =>
      spansOf(appointment, certainty).flatMap(({ until }) => (until < day ? until : [])),
    )
    .sort(compare);

/** Finds the appointments that count for these lines on a day. */
function appointmentsFor(
  { state, insurers }: AppointmentQuestion,
  day: CalendarDate,
  lines: readonly LineRequirement[],
) {
  const unread = unreadIn(state, 'appointment');
  const candidatesOf = (appointments: readonly AppointmentHolding[], doubts: readonly ReasonDraft[] = []) =>
    appointments.flatMap((one): (Candidate & { row: AppointmentRow })[] => {
      const mark = markOn(one.days, day);
      if (mark?.is !== 'in force' && mark?.is !== 'not known') return [];
      const notKnown = [...doubtsOf(mark, { code: 'appointment_unknown', lines }), ...doubts, ...unread];
      return [{ row: mark.row.source, lines: linesOf(one, day), notKnown }];
    });
  const among = (appointments: readonly AppointmentHolding[], unclear: readonly AppointmentHolding[] = []) =>
    search(
      lines,
      [...candidatesOf(appointments), ...candidatesOf(unclear, [{ code: 'company_unknown' }])],
      unread,
    );
  const counting = countingFor(state.appointments, insurers, day);
  const { writing, appointments, byCompany, ofUnclear } = counting;
  const outcome = among(appointments, ofUnclear);
  const isOfEach = writing === 'not named' || writing === 'not known';
  const isByAll = !isOfEach || byCompany.every((one) => among(one).unmet.length === 0);
  const isMet = {
    surely: writing === 'not known' ? isByAll : outcome.unmet.length === 0,
    maybe: outcome.missing.length === 0,
  };
  return { ...outcome, counting, isByAll, isMet };
}

/** Finds what is so of the appointments of a party that needs some. */
export function findAppointments(question: AppointmentQuestion): AppointmentFinding {
  const { day, lines, onBinding } = question;
  const outcome = appointmentsFor(question, day, lines);
  const { writing, isCountedOn, appointments } = outcome.counting;
  const rows = outcome.meeting.map(({ row }) => row);
  const warnings: WarningDraft[] = [
    ...(writing === 'not named' && !outcome.isByAll ? [{ code: 'company_not_named' } as const] : []),
    ...rows.flatMap(({ renewalDate }) => {
      const date = writtenDate(renewalDate ?? never);
      return date < day ? { code: 'renewal_date_passed' as const, day: date } : [];
    }),
  ];
  const because = (reasons: readonly ReasonDraft[], due?: Due): AppointmentFinding => ({
    reasons,
    warnings,
    rows,
    asked: lines,
    due,
  });
  if (outcome.isMet.surely) return because([]);
  const unmet = entriesOf(outcome.unmet);
  const fitting = (entries: readonly LineRequirement[]) =>
    appointments.filter((one) => entries.some((entry) => meets(entry, { lines: linesOf(one, day) })));
  const isForCauseOf = (entry: LineRequirement): boolean => {
    const asked = fitting([entry]);
    return endedForCause(question, (one) => asked.includes(one));
  };
  if (onBinding !== undefined && (endedForCause(question, isCountedOn) || outcome.unmet.some(isForCauseOf)))
    return because([{ code: 'terminated_for_cause', lines: unmet }]);
  if (onBinding !== undefined && writing !== 'another') {
    const dueBy = (certainty: Certainty) => dueAppointmentOf(question, unmet, outcome.counting, certainty);
    // It is in time where somebody was appointed by then, or may still be on the day on which it is looked at.
    const isInTime = (due: Due): boolean =>
      (due.appointedOn ?? question.saleSeenOn ?? day) <= (due.dueOn ?? never);
    const due = dueBy('surely');
    const { dueOn } = due;
    // A row that could not be read may be an end for cause.
    if (dueOn === null || isInTime(due)) return because(unreadIn(question.state, 'appointment'), due);
    const possibleDue = dueBy('maybe');
    if (outcome.isMet.maybe || isInTime(possibleDue)) {
      const unknown: ReasonDraft =
        writing === 'not known' ? { code: 'company_unknown' } : { code: 'appointment_unknown', lines: unmet };
      return because(outcome.notKnown.length > 0 ? outcome.notKnown : [unknown], possibleDue);
    }
    const code = day > dueOn ? 'appointment_overdue' : 'appointment_late';
    return because([{ code, lines: unmet, day: dueOn }], due);
  }
  if (writing === 'another' || writing === 'unclear' || writing === 'not known')
    return because([{ code: 'company_unknown' }, ...outcome.notKnown]);
  return because(
    outcome.missing.length > 0
      ? [whyNotAppointed(fitting(outcome.missing), outcome.missing, day)]
      : outcome.notKnown,
  );
}

/** Finds when a missing appointment is due: some days after the first sale without one since one last covered, as known now. */
function dueAppointmentOf(
  question: AppointmentQuestion,
  unmet: readonly LineRequirement[],
  { appointments: ofCompany, ofUnclear }: Counting,
  certainty: Certainty,
): Due {
  const appointments = [...ofCompany, ...ofUnclear];
  const { day, lines, state, saleSeenOn, onBinding } = question;
  const withinDays = onBinding?.withinDays ?? null;
  const isMetOn = (date: CalendarDate): boolean => appointmentsFor(question, date, lines).isMet[certainty];
  // An appointment by a code that counted until then covered, too.
  const lastDays = [
    ...lastDaysBefore(state.appointments, day, certainty),
    ...lastDaysOfCodes(question.insurers.carrier.naicCodes).filter((until) => until < day),
  ];
  const lastMet = lastDays.sort(compare).findLast((until) => isMetOn(until));
  const { day: first } = state.sales
    .filter((sale) => sale.day <= day && (lastMet === undefined || sale.day > lastMet))
    .sort((sale, otherSale) => compare(sale.day, otherSale.day))
    .find((sale) => {
      const { counting, isMet } = appointmentsFor(question, sale.day, sale.lines);
      return counting.isSaleCounting(comparable(sale.carrierNaicCode)) && !isMet[certainty];
    }) ?? { day: saleSeenOn && day };
  const appointedOn = appointments
    .flatMap((appointment) => spansOf(appointment, certainty).map(({ from }) => from))
    .filter((from) => saleSeenOn !== undefined && day < from && from <= saleSeenOn)
    .sort(compare)
    .find((from) => isMetOn(from));
  return {
    linesOfAuthority: unmet,
    dueOn: first === undefined || withinDays === null ? null : addDays(first, withinDays),
    appointedOn: appointedOn ?? null,
  };
}

/** Why an appointment ended, where that is said: by a reason, or by a status that is one. */
const whyEnded = ({ terminationReason, status }: AppointmentRow): string =>
  terminationReason ?? (isForCause(status) ? status : '');

/** Whether the last end of appointments that count by a day, also one that leaves days not known, was for cause. */
function endedForCause({ state, day }: AppointmentQuestion, isCountedOn: Counting['isCountedOn']): boolean {
  const lastEnds = state.appointments.flatMap((one) => {
    // One without a date that is said again is of the day of the one that an earlier statement has.
    let heldFrom: CalendarDate | undefined;
    const ends = [...Map.groupBy(one.said, ({ statement }) => statement.id).values()]
      .flatMap((mentions) => {
        const earlierFrom = mentions.some(({ row }) => isLive(row)) ? undefined : heldFrom;
        const ofStatement = mentions.flatMap(({ row, statement }) => {
          const from = row.since ?? earlierFrom ?? statement.knownOn;
          return isEnd(row) ? [{ from, begins: row.begins, row: row.source, statement }] : [];
        });
        heldFrom = ofStatement.map(({ from }) => from).reduce(laterOf, '') || earlierFrom;
        return ofStatement
          .filter(({ from }) => from <= day && isCountedOn(one, from))
          .sort((first, second) => compare(whyEnded(first.row), whyEnded(second.row)));
      })
      .toSorted((one, other) => compare(one.from, other.from));
    // One without a reason is the end before it, said again, unless it was in force in between.
    for (const [index, end] of ends.entries()) {
      const before = ends[index - 1];
      if (before === undefined || before.statement.id === end.statement.id || whyEnded(end.row)) continue;
      const isOther = before.begins !== null && end.begins !== null && before.begins !== end.begins;
      const wasBack = spansOf(one).some(({ from, until }) => before.from <= until && from < end.from);
      if (!isOther && !wasBack) ends[index] = { ...end, row: before.row };
    }
    const last = ends.at(-1);
    return ends.filter(({ from, statement }) => from === last?.from && statement.id === last.statement.id);
  });
  const latest = lastEnds.map(({ from }) => from).reduce(laterOf, '');
  return lastEnds.some(
    ({ from, row }) => from === latest && (isForCause(row.terminationReason) || isForCause(row.status)),
  );
}

/** Why no appointment meets entries: one of those that would meet some of them may have ended. */
function whyNotAppointed(
  fitting: readonly AppointmentHolding[],
  entries: readonly LineRequirement[],
  day: CalendarDate,
): ReasonDraft {
  const lastDay = lastDaysBefore(fitting, day).at(-1);
  return lastDay === undefined
    ? { code: 'appointment_missing', lines: entriesOf(entries) }
    : { code: 'appointment_ended', lines: entriesOf(entries), day: lastDay };
}
