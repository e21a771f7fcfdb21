import { firstNamed } from '../../platform/contract/text.ts';
import { compare } from '../../platform/data/compare.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import type {
  appointmentStatusNames,
  ComplianceBasis,
  licenseStatusNames,
} from '../compliance/compliance-statuses.ts';
import type { LineRequirement, StateRequirement } from '../compliance/resource.ts';
import type { AppointmentCoverage } from './appointments.ts';
import { type CarrierIdentity, isAppointedBy } from './carrier.ts';
import { type ConfigBasis, type ConfigVersion, configInForce, nextConfigOf } from './configs.ts';
import { nextChangeOf, type StateCoverage, type StateCoverages } from './coverage.ts';
import { includes, never } from './dates.ts';
import type { AppointmentRow, LicenseRow } from './facts.ts';

/** Who is judged: an agency, or a producer who sells. */
export type Party = 'agency' | 'agent';

/** May this party sell this product in this state on this day, as known at this moment? */
export interface Question<License extends LicenseRow, Appointment extends AppointmentRow> {
  readonly party: Party;
  readonly stateCode: string;
  /** In New York, at its end. */
  readonly day: CalendarDate;
  /** ISO time in UTC; that with which the coverage was made. */
  readonly knownAt: string;
  readonly coverage: StateCoverages<License, Appointment>;
  /** The versions of the product's config. */
  readonly configs: readonly [ConfigVersion, ...ConfigVersion[]];
  readonly carrier: CarrierIdentity;
}

export type LicenseStatusName = (typeof licenseStatusNames)[number];
export type AppointmentStatusName = (typeof appointmentStatusNames)[number];

/** What keeps a party from selling. */
export type Reason =
  | { readonly code: 'license_missing' }
  | { readonly code: 'license_expired'; readonly lastDay: CalendarDate }
  | { readonly code: 'license_not_begun'; readonly firstDay: CalendarDate }
  | { readonly code: 'line_missing'; readonly lines: readonly LineRequirement[] }
  | { readonly code: 'appointment_missing'; readonly lines: readonly LineRequirement[] }
  | {
      readonly code: 'appointment_ended';
      readonly lines: readonly LineRequirement[];
      readonly lastDay: CalendarDate;
    };

/** A status with what there is to say about it. */
export interface Status<Name> {
  statusName: Name;
  /** Absent where there is nothing to do. */
  statusMessages?: string[];
}

/** What is left to be done where a carrier appoints when it binds. */
export interface DueAppointment {
  /** Entries of the requirement that no appointment meets yet; none where any appointment would do. */
  readonly linesOfAuthority: readonly LineRequirement[];
  /** Days from the binding on; null where there is no limit. */
  readonly withinDays: number | null;
}

export interface Answer<License, Appointment> {
  readonly complianceStatus: 'COMPLIANT' | 'NOT_COMPLIANT';
  readonly licenseStatus: Status<LicenseStatusName>;
  readonly appointmentStatus: Status<AppointmentStatusName>;
  readonly reasons: readonly Reason[];
  /** With the status `Appointment on Binding`, the appointment that is to be made; else null. */
  readonly dueAppointment: DueAppointment | null;
  /** `history` where everything that counts was recorded by the day, else `registry dates`. */
  readonly basis: Exclude<ComplianceBasis, 'current'>;
  readonly configBasis: ConfigBasis;
  /** What covers the day: the rows of licenses, and of the carrier's appointments. */
  readonly covering: { readonly licenses: readonly License[]; readonly appointments: readonly Appointment[] };
  /** The first later day on which the answer may be another one, as known at the moment; null where there is none. */
  readonly nextChange: CalendarDate | null;
}

const nothing: StateCoverage<never, never> = { terms: [], codesOfLine: () => new Map(), appointments: [] };

/** The answer to a question (OpenAPI, "How compliance is decided"): pure, without a clock; all that counts is in the question. */
export function decide<License extends LicenseRow, Appointment extends AppointmentRow>(
  question: Question<License, Appointment>,
): Answer<License, Appointment> {
  const { party, stateCode, day, knownAt, configs } = question;
  const coverage: StateCoverage<License, Appointment> = question.coverage.get(stateCode) ?? nothing;
  const { config, configBasis } = configInForce(configs, day, knownAt);
  const requirement = config.states.find((state) => state.stateCode === stateCode);
  const lines = requirement?.linesOfAuthority ?? [];
  const license = licenseOf(coverage, stateCode, day, lines);
  const appointment = appointmentOf(coverage, question, config, { requirement, party, lines });
  const isCompliant =
    license.status.statusName === 'Licensed' && appointment.status.statusName !== 'Not Appointed';
  return {
    complianceStatus: isCompliant ? 'COMPLIANT' : 'NOT_COMPLIANT',
    licenseStatus: license.status,
    appointmentStatus: appointment.status,
    reasons: [...license.reasons, ...appointment.reasons],
    dueAppointment: appointment.due ?? null,
    basis: basisOf(coverage, day),
    configBasis,
    covering: { licenses: license.rows, appointments: appointment.rows },
    // It takes a fifth of the time, and most callers do not look at it.
    get nextChange() {
      return earliest(nextChangeOf(coverage, day), nextConfigOf(configs, day, knownAt));
    },
  };
}

const earliest = (...days: readonly (CalendarDate | null)[]): CalendarDate | null =>
  days.filter((day) => day !== null).sort(compare)[0] ?? null;

interface Finding<Name, Row> {
  readonly status: Status<Name>;
  readonly reasons: readonly Reason[];
  readonly rows: readonly Row[];
}

/** Entries of a requirement that no code meets. */
const missingAmong = (required: readonly LineRequirement[], held: ReadonlySet<string>): LineRequirement[] =>
  required.filter((line) => !codesOf(line).some((code) => held.has(code)));

const codesOf = (line: LineRequirement): readonly string[] =>
  typeof line === 'string' ? [line] : line.anyOf;

/** Entries of a requirement, in words. */
export const named = (lines: readonly LineRequirement[]): string =>
  firstNamed(lines.map((line) => firstNamed(codesOf(line), 'or')));

function licenseOf<License extends LicenseRow>(
  { terms }: StateCoverage<License>,
  stateCode: string,
  day: CalendarDate,
  required: readonly LineRequirement[],
): Finding<LicenseStatusName, License> {
  const covering = terms.flatMap(({ spans }) => spans.filter((span) => includes(span, day)));
  if (covering.length === 0) return { ...withoutLicense(terms, stateCode, day), rows: [] };
  const rows = covering.map(({ row }) => row);
  const held = new Set(
    covering.flatMap(({ lines }) =>
      Array.from(lines, ([code, days]) => (days.some((one) => includes(one, day)) ? [code] : [])).flat(),
    ),
  );
  const missing = missingAmong(required, held);
  return missing.length === 0
    ? { status: { statusName: 'Licensed' }, reasons: [], rows }
    : {
        status: {
          statusName: 'Missing Line of Authority',
          statusMessages: [`No active line of authority ${named(missing)} in ${stateCode}.`],
        },
        reasons: [{ code: 'line_missing', lines: missing }],
        rows,
      };
}

/** Why no license covers a day. */
function withoutLicense(
  terms: StateCoverage['terms'],
  stateCode: string,
  day: CalendarDate,
): Omit<Finding<LicenseStatusName, never>, 'rows'> {
  const missing = (reason: Reason, message: string) => ({
    status: { statusName: 'Missing License' as const, statusMessages: [message] },
    reasons: [reason],
  });
  const lastDay = terms
    .map(({ ownEnds }) => ownEnds.findLast(({ from }) => from <= day)?.ownEnd ?? never)
    .filter((end) => end < day)
    .sort(compare)
    .at(-1);
  if (lastDay !== undefined) {
    return {
      status: {
        statusName: 'Expired License',
        statusMessages: [`The license in ${stateCode} expired on ${lastDay}.`],
      },
      reasons: [{ code: 'license_expired', lastDay }],
    };
  }
  const [firstDay] = terms
    .flatMap(({ spans }) => spans.map(({ from }) => from))
    .filter((from) => from > day)
    .sort(compare);
  if (firstDay !== undefined) {
    return missing(
      { code: 'license_not_begun', firstDay },
      `The license in ${stateCode} begins on ${firstDay}.`,
    );
  }
  return missing(
    { code: 'license_missing' },
    terms.some(({ isNeverSeenLive }) => isNeverSeenLive)
      ? `The license in ${stateCode} is not active, and when it was active is not known.`
      : `No active license in ${stateCode}.`,
  );
}

interface Requirement {
  readonly requirement: StateRequirement | undefined;
  readonly party: Party;
  readonly lines: readonly LineRequirement[];
}

/** Whether a product asks a party for an appointment in a state. */
const isAsked = ({ requirement, party }: Requirement): boolean =>
  requirement !== undefined &&
  requirement.appointment !== 'not required' &&
  [undefined, 'both', party].includes(requirement.appointmentOf);

function appointmentOf<License extends LicenseRow, Appointment extends AppointmentRow>(
  { appointments, codesOfLine }: StateCoverage<License, Appointment>,
  { stateCode, day, carrier }: Question<License, Appointment>,
  { carrierNaicCodes }: ConfigVersion,
  asked: Requirement,
): Finding<AppointmentStatusName, Appointment> & { readonly due?: DueAppointment } {
  if (!isAsked(asked)) return { status: { statusName: 'Not Required' }, reasons: [], rows: [] };
  const { requirement, lines } = asked;
  const ofCarrier = appointments.flatMap((one) => {
    const spans = one.spans.filter(({ row }) =>
      isAppointedBy(row, one.companyCode, carrier, carrierNaicCodes),
    );
    return spans.length === 0 ? [] : [{ ...one, spans, codes: linesOf(one, codesOfLine) }];
  });
  const counting = ofCarrier.filter(({ spans }) => spans.some((span) => includes(span, day)));
  const rows = counting.flatMap(({ spans }) =>
    spans.filter((span) => includes(span, day)).map(({ row }) => row),
  );
  const coversAll = counting.some(({ codes }) => codes === 'all');
  const held = new Set(counting.flatMap(({ codes }) => (codes === 'all' ? [] : [...codes])));
  const missing = coversAll ? [] : missingAmong(lines, held);
  if (counting.length > 0 && missing.length === 0) {
    return { status: { statusName: 'Appointed' }, reasons: [], rows };
  }
  if (requirement?.appointment === 'on binding') {
    const due = { linesOfAuthority: missing, withinDays: requirement.appointWithinDays ?? null };
    return { status: { statusName: 'Appointment on Binding' }, reasons: [], rows, due };
  }
  const what = counting.length === 0 ? '' : ` for line of authority ${named(missing)}`;
  const lastDay = ofCarrier
    .filter(
      ({ codes }) =>
        codes === 'all' || lines.length === 0 || missingAmong(missing, codes).length < missing.length,
    )
    .flatMap(({ spans }) => spans.map(({ until }) => until))
    .filter((until) => until < day)
    .sort(compare)
    .at(-1);
  return {
    status: {
      statusName: 'Not Appointed',
      statusMessages: [`No active appointment${what} in ${stateCode}.`],
    },
    reasons: [
      lastDay === undefined
        ? { code: 'appointment_missing', lines: missing }
        : { code: 'appointment_ended', lines: missing, lastDay },
    ],
    rows,
  };
}

const noCodes: ReadonlySet<string> = new Set();

/** The codes of the lines that an appointment covers: a name counts for the codes that licenses of the state give it. */
const linesOf = (
  { lineCode, lineName }: Pick<AppointmentCoverage<AppointmentRow>, 'lineCode' | 'lineName'>,
  codesOfLine: StateCoverage['codesOfLine'],
): 'all' | ReadonlySet<string> => {
  if (lineCode !== null) return new Set([lineCode]);
  return lineName === null ? 'all' : (codesOfLine().get(lineName) ?? noCodes);
};

/** What the answer goes by: history only if everything that counts for the day was recorded by then. */
function basisOf({ terms, appointments }: StateCoverage, day: CalendarDate): 'history' | 'registry dates' {
  const recorded = [
    ...terms.filter(({ begins }) => begins <= day),
    ...appointments.filter(({ spans }) => spans.some(({ from }) => from <= day)),
  ].map(({ recordedFrom }) => recordedFrom <= day);
  return recorded.length > 0 && recorded.every((is) => is) ? 'history' : 'registry dates';
}
