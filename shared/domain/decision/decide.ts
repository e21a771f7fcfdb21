import type { CalendarDate } from '#platform/dates/dates.ts';
import { type Insurers, nextCodesOf } from './carrier.ts';
import {
  type ComplianceBasis,
  type ConfigBasis,
  type ConfigVersion,
  configInForce,
  type LineRequirement,
  nextConfigOf,
  type Party,
  requiredOf,
  ruleOf,
} from './compliance-config.ts';
import { type Coverage, emptyState, nextChangeOf, recordedDaysOf, type StateCoverage } from './coverage.ts';
import { dayAfter, earliest } from './dates.ts';
import {
  type AppointmentFinding,
  type Due,
  type Finding,
  findAppointments,
  findFurtherLicense,
  findLicenses,
} from './findings.ts';
import {
  isAgainst,
  type Reason,
  type ReasonDraft,
  reasonOf,
  type StatusName,
  type Subject,
  statusNames,
  statusOfReason,
  type Warning,
  type WarningDraft,
  warningOf,
} from './reasons.ts';
import type { AppointmentRow, LicenseRow } from './records.ts';

export type { Party } from './compliance-config.ts';

/** `no` where a reason is against, else `unknown` where one is not known. */
export type Verdict = 'yes' | 'no' | 'unknown';

/** Question that is asked of every party. */
export interface Question extends Pick<Insurers, 'carrier' | 'company' | 'codeInCatalog'> {
  readonly stateCode: string;
  /** Day in New York, at its end. */
  readonly day: CalendarDate;
  /** ISO time in UTC; that with which the coverages were made. */
  readonly knownAt: string;
  /** The versions of the product's config. */
  readonly configs: readonly [ConfigVersion, ...ConfigVersion[]];
  /**
   * Day until which later appointments are looked at, of a sale on the day. Absent where it is asked whether
   * somebody may sell.
   */
  readonly saleSeenOn?: CalendarDate | undefined;
}

/** Party that is judged, with what is known of it. */
export interface PartyFacts {
  readonly party: Party;
  readonly coverage: Coverage;
  /** Whether an agency that has no NPN needs one. Absent where there is an NPN. */
  readonly npn?: 'missing' | 'not needed' | undefined;
}

/** A status with what there is to say about it. */
export interface Status<Of extends Subject = Subject> {
  statusName: StatusName<Of>;
  /** Absent where there is nothing to do. */
  statusMessages?: string[];
}

export interface Answer {
  readonly verdict: Verdict;
  readonly licenseStatus: Status<'license'>;
  readonly appointmentStatus: Status<'appointment'>;
  /** Empty exactly where the verdict is `yes`. */
  readonly reasons: readonly Reason[];
  readonly warnings: readonly Warning[];
  /** Lines that are asked of the appointments of each party; null where none is. */
  readonly appointmentLines: readonly LineRequirement[] | null;
  /** Appointment that is missing on the day where it does; else null. */
  readonly dueAppointment: Due | null;
  /** `history` where everything that counts was recorded by the day, else `registry dates`. */
  readonly basis: Exclude<ComplianceBasis, 'current'>;
  readonly configBasis: ConfigBasis;
  /** The rows that a `yes` rests on. */
  readonly covering: {
    readonly licenses: readonly LicenseRow[];
    readonly appointments: readonly AppointmentRow[];
  };
}

/** Findings about a party: of each thing that is asked, undefined where it is not. */
export interface Findings {
  readonly licenses: Finding | undefined;
  readonly appointments: AppointmentFinding | undefined;
  /** Findings about each further license that is asked of the seller or the agency; none of who holds nothing. */
  readonly further: readonly Finding[];
}

/** The version of a config that is in force, and what it asks in the state, which may not be configured. */
export function requirementOf(
  { day, knownAt, stateCode }: Omit<Question, 'configs'>,
  configs: Question['configs'],
) {
  const inForce = configInForce(configs, day, knownAt);
  return { ...inForce, rule: ruleOf(inForce.config, stateCode) };
}

type Requirement = ReturnType<typeof requirementOf>;

const npnMissing: Finding<never> = { reasons: [{ code: 'npn_missing' }], warnings: [], rows: [] };

/**
 * Finds what is so of a party, whoever else takes part: each requirement of the rule, in one order.
 * @param unverified why it is not known whether what meets a requirement still does.
 */
export function findingsOf(
  { party, coverage, npn }: PartyFacts,
  requirement: Requirement | undefined,
  question: Omit<Question, 'configs'>,
  unverified: readonly ReasonDraft[] = [],
): Findings {
  const rule = requirement?.rule;
  if (requirement === undefined || rule === undefined || npn === 'not needed')
    return { licenses: undefined, appointments: undefined, further: [] };
  const required = requiredOf(rule, party);
  const state: StateCoverage = coverage.get(question.stateCode) ?? emptyState;
  const ofLicenses = { day: question.day, state, coverage, isHomeAsked: required.isHomeAsked };
  const ofAppointments = {
    ...question,
    state,
    insurers: {
      ...question,
      productCodes: requirement.config.carrierNaicCodes,
      stateCodes: rule.carrierNaicCodes,
      appointmentBy: rule.appointmentBy,
    },
    lines: required.appointmentLines,
    onBinding: rule.appointment === 'on binding' ? { withinDays: rule.appointWithinDays ?? null } : undefined,
  };
  /** Adds what is not known of the party as a whole: it might undo what meets a requirement. */
  const judge = <One extends Finding<unknown>>(find: () => One): One | Finding<never> => {
    if (npn === 'missing') return npnMissing;
    const finding = find();
    if (finding.reasons.some(isAgainst)) return finding;
    const doubts: ReasonDraft[] = coverage.isNotFound() ? [{ code: 'npn_not_found' }] : [];
    return { ...finding, reasons: [...doubts, ...unverified, ...finding.reasons] };
  };
  return {
    licenses: required.isLicenseAsked ? judge(() => findLicenses(required, ofLicenses)) : undefined,
    appointments: required.isAppointmentAsked ? judge(() => findAppointments(ofAppointments)) : undefined,
    further: (rule.furtherLicenses ?? []).map((one) => judge(() => findFurtherLicense(one, ofLicenses))),
  };
}

/** Several findings of licenses as one. */
export const joined = (one: Finding | undefined, other: Finding): Finding => ({
  reasons: [...(one?.reasons ?? []), ...other.reasons].sort(
    (first, second) => Number(isAgainst(second)) - Number(isAgainst(first)),
  ),
  warnings: [...(one?.warnings ?? []), ...other.warnings],
  rows: [...(one?.rows ?? []), ...other.rows],
});

/** Each thing once, by what it says. */
export const once = <One extends { readonly party: string; readonly code: string; readonly message: string }>(
  all: readonly One[],
): One[] => [...new Map(all.map((one) => [`${one.party} ${one.code} ${one.message}`, one])).values()];

/** The status that comes first in the order of them all, the last one where none is given, with what there is to say. */
export function statusOf<Of extends Subject>(
  of: Of,
  names: readonly (string | undefined)[],
  messages: readonly string[],
): Status<Of> {
  const order: readonly StatusName<Of>[] = statusNames[of];
  const statusName = order.find((name) => names.includes(name)) ?? 'Not Required';
  return messages.length === 0 ? { statusName } : { statusName, statusMessages: [...new Set(messages)] };
}

export const verdictOf = (reasons: readonly Reason[]): Verdict => {
  if (reasons.length === 0) return 'yes';
  return reasons.some(isAgainst) ? 'no' : 'unknown';
};

/**
 * The answer about a party by what is found of it.
 * @param requirement undefined where the product is not known.
 * @param facts what counts beside; `ownWord` are reasons by the carrier's own word.
 */
export function answerOf(
  { party, coverage }: PartyFacts,
  { licenses, appointments }: Findings,
  requirement: Requirement | undefined,
  { stateCode, day }: Pick<Question, 'stateCode' | 'day'>,
  facts: {
    readonly name?: string | undefined;
    readonly ownWord?: readonly ReasonDraft[];
    readonly warnings?: readonly WarningDraft[];
  } = {},
): Answer {
  const { name, ownWord = [], warnings = [] } = facts;
  const whose = { party: party === 'agent' ? 'seller' : party, name, stateCode } as const;
  const unjudged: ReasonDraft[] = [];
  if (requirement === undefined) unjudged.push({ code: 'product_unknown' });
  else if (requirement.rule === undefined) unjudged.push({ code: 'state_not_configured' });
  const reasonsOf = (of: Subject, drafts: readonly ReasonDraft[]): Reason[] =>
    drafts.map((draft) => reasonOf(whose, of, draft));
  const ofLicenses = reasonsOf('license', [...unjudged, ...(licenses?.reasons ?? [])]);
  const ofAppointments = reasonsOf('appointment', [...unjudged, ...(appointments?.reasons ?? [])]);
  const ownReasons = reasonsOf('license', ownWord);
  const reasons = once([...ofLicenses, ...ofAppointments, ...ownReasons]);
  const statusBy = <Of extends Subject>(of: Of, met: StatusName | undefined, all: readonly Reason[]) =>
    statusOf(
      of,
      [met, ...all.map((reason) => statusOfReason(reason, of))],
      all.map(({ message }) => message),
    );
  return {
    verdict: verdictOf(reasons),
    licenseStatus: statusBy('license', licenses && 'Licensed', [...ofLicenses, ...ownReasons]),
    appointmentStatus: statusBy(
      'appointment',
      appointments && (appointments.due === undefined ? 'Appointed' : 'Appointment on Binding'),
      ofAppointments,
    ),
    reasons,
    warnings: once(
      [...(licenses?.warnings ?? []), ...(appointments?.warnings ?? []), ...warnings].map((draft) =>
        warningOf(whose, draft),
      ),
    ),
    appointmentLines: appointments?.asked ?? null,
    dueAppointment: appointments?.due ?? null,
    basis: basisOf(coverage, stateCode, day),
    configBasis: requirement?.configBasis ?? 'version',
    covering: {
      licenses: [...new Set(licenses?.rows)],
      appointments: [...new Set(appointments?.rows)],
    },
  };
}

/** The day from which a missing appointment is overdue; null where that is not to come. */
export const overdueFrom = (
  { dueAppointment }: Pick<Answer, 'dueAppointment'>,
  day: CalendarDate,
): CalendarDate | null => {
  const dueOn = dueAppointment?.dueOn ?? null;
  return dueOn === null || dueOn < day ? null : dayAfter(dueOn);
};

/** The first later day on which an answer about one of some parties may be another one, as known at the moment. */
export const nextAnswerOn = (
  coverages: readonly Coverage[],
  question: Omit<Question, 'configs'> & { readonly configs: readonly ConfigVersion[] },
  answer: Pick<Answer, 'dueAppointment'>,
): CalendarDate | null => {
  const { day, knownAt, stateCode, configs, carrier } = question;
  return earliest([
    ...coverages.map((coverage) => nextChangeOf(coverage, day, [stateCode])),
    nextCodesOf(carrier.naicCodes, day),
    nextConfigOf(configs, day, knownAt),
    overdueFrom(answer, day),
  ]);
};

/** Finds the basis of an answer: history only if everything that counts for the day was recorded by then. */
function basisOf(coverage: Coverage, stateCode: string, day: CalendarDate): 'history' | 'registry dates' {
  const recordedDays = recordedDaysOf(coverage, stateCode, day);
  return recordedDays.length > 0 && recordedDays.every((one) => one <= day) ? 'history' : 'registry dates';
}

/**
 * The answer about one party alone, as lists, the overview, and events ask it (OpenAPI, "How compliance is decided"): pure, without
 * a clock; all that counts is in the question. A further license is asked of it where licenses are, and an appointment of either
 * where appointments are.
 */
export function decideParty(question: Question & PartyFacts): Answer {
  const requirement = requirementOf(question, question.configs);
  const { further, ...findings } = findingsOf(question, requirement, question);
  const licenses = findings.licenses && further.reduce(joined, findings.licenses);
  return answerOf(question, { ...findings, licenses, further }, requirement, question);
}
