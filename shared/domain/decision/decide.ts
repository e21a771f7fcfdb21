import { compare } from '../../platform/data/keys.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import { appointmentsFound, type Due, type FoundAppointments } from './appointment-verdict.ts';
import { type CarrierIdentity, type CodeInCatalog, nextCodesOf, type WritingCompany } from './carrier.ts';
import {
  type ConfigVersion,
  configInForce,
  furtherOf,
  type LineRequirement,
  nextConfigOf,
  type Party,
  type Rule,
  requiredOf,
  ruleOf,
} from './compliance-config.ts';
import type { ComplianceBasis, ConfigBasis } from './compliance-statuses.ts';
import { type Coverage, emptyState, nextChangeOf, recordedOn, type StateCoverage } from './coverage.ts';
import type { DatedSource } from './dated.ts';
import { dayAfter } from './dates.ts';
import { markOn } from './days.ts';
import type { Holding } from './holdings.ts';
import { furtherFound, licensesFound } from './license-verdict.ts';
import {
  type AppointmentStatusName,
  appointmentStatusNames,
  isAgainst,
  type LicenseStatusName,
  licenseStatusNames,
  type Reason,
  reasonOf,
  type Said,
  type SaidWarning,
  type Subject,
  statusOfReason,
  type Warning,
  warningOf,
} from './reasons.ts';
import type { AppointmentRow, LicenseRow } from './rows.ts';
import type { Found } from './search.ts';

export type { Party } from './compliance-config.ts';

/** `no` where a reason is against, else `unknown` where one is not known. */
export type Verdict = 'yes' | 'no' | 'unknown';

/** What is asked of every party. */
export interface Asked {
  readonly stateCode: string;
  /** In New York, at its end. */
  readonly day: CalendarDate;
  /** ISO time in UTC; that with which the coverages were made. */
  readonly knownAt: string;
  /** The versions of the product's config. */
  readonly configs: readonly [ConfigVersion, ...ConfigVersion[]];
  readonly carrier: CarrierIdentity;
  /** Undefined where the sale names none. */
  readonly company?: WritingCompany | undefined;
  /** Absent where the sale names its company by code, if at all. */
  readonly codeInCatalog?: CodeInCatalog | undefined;
  /**
   * Of a sale on the day: the day until which it is looked at whether who was to be appointed was. Absent where it is asked whether
   * somebody may sell.
   */
  readonly saleSeenOn?: CalendarDate | undefined;
}

/** Who is judged, with what is known of them. */
export interface PartyFacts<
  License extends LicenseRow = LicenseRow,
  Appointment extends AppointmentRow = AppointmentRow,
> {
  readonly party: Party;
  readonly coverage: Coverage<License, Appointment>;
  /** Of an agency that has no NPN: whether it needs one. Absent where there is an NPN. */
  readonly npn?: 'missing' | 'not needed' | undefined;
}

/** A status with what there is to say about it. */
export interface Status<Name> {
  statusName: Name;
  /** Absent where there is nothing to do. */
  statusMessages?: string[];
}

export interface Answer<License = LicenseRow, Appointment = AppointmentRow> {
  readonly verdict: Verdict;
  readonly licenseStatus: Status<LicenseStatusName>;
  readonly appointmentStatus: Status<AppointmentStatusName>;
  /** Empty exactly where the verdict is `yes`. */
  readonly reasons: readonly Reason[];
  readonly warnings: readonly Warning[];
  /** Where the carrier appoints when it binds, what it asks of appointments; else null. */
  readonly onBinding: readonly LineRequirement[] | null;
  /** Where it does, the appointment that is missing on the day; else null. */
  readonly dueAppointment: Due | null;
  /** `history` where everything that counts was recorded by the day, else `registry dates`. */
  readonly basis: Exclude<ComplianceBasis, 'current'>;
  readonly configBasis: ConfigBasis;
  /** The rows that a `yes` rests on. */
  readonly covering: { readonly licenses: readonly License[]; readonly appointments: readonly Appointment[] };
}

/** The answer about one party by itself. */
export interface PartyAnswer<License = LicenseRow, Appointment = AppointmentRow>
  extends Answer<License, Appointment> {
  /** The first later day on which the answer may be another one, as known at the moment; null where there is none. */
  readonly nextChange: CalendarDate | null;
}

/** A question about one party alone, as lists, the overview, and events ask it. */
interface PartyQuestion<
  License extends LicenseRow = LicenseRow,
  Appointment extends AppointmentRow = AppointmentRow,
> extends Asked,
    PartyFacts<License, Appointment> {}

/** What is found of a party: of each thing that is asked, undefined where it is not. */
export interface Findings<License = LicenseRow, Appointment = AppointmentRow> {
  readonly licenses: Found<License> | undefined;
  readonly appointments: FoundAppointments<Appointment> | undefined;
  /** Of each further license that is asked of the seller or the agency; none of who holds nothing. */
  readonly further: readonly Found<License>[];
}

/** The version of a config that is in force, and what it asks in the state; the state may not be configured. */
export interface Requirement {
  readonly config: ConfigVersion;
  readonly configBasis: ConfigBasis;
  readonly rule: Rule | undefined;
}

export function requirementOf(
  { day, knownAt, stateCode }: Omit<Asked, 'configs'>,
  configs: Asked['configs'],
): Requirement {
  const { config, configBasis } = configInForce(configs, day, knownAt);
  return { config, configBasis, rule: ruleOf(config, stateCode) };
}

const npnMissing: Found<never> = { against: [], notKnown: [{ code: 'npn_missing' }], warnings: [], rows: [] };

const nothingAsked: Findings<never, never> = {
  licenses: undefined,
  appointments: undefined,
  further: [],
};

/**
 * What is found of a party, whoever else takes part.
 * @param unverified why it is not known whether what meets the requirement still does.
 */
export function findingsOf<License extends LicenseRow, Appointment extends AppointmentRow>(
  { party, coverage, npn }: PartyFacts<License, Appointment>,
  requirement: Requirement | undefined,
  { stateCode, day, carrier, company, codeInCatalog, saleSeenOn }: Omit<Asked, 'configs'>,
  unverified: readonly Said[] = [],
): Findings<License, Appointment> {
  const rule = requirement?.rule;
  if (requirement === undefined || rule === undefined || npn === 'not needed') return nothingAsked;
  const required = requiredOf(rule, party);
  const { isLicenseAsked, isAppointmentAsked, appointmentLines } = required;
  if (npn === 'missing') {
    return {
      licenses: isLicenseAsked ? npnMissing : undefined,
      appointments: isAppointmentAsked ? { ...npnMissing, onBinding: undefined, due: undefined } : undefined,
      further: furtherOf(rule).map(() => npnMissing),
    };
  }
  const whole: readonly Said[] = [
    ...(coverage.isNotFound ? [{ code: 'npn_not_found' } as const] : []),
    ...unverified,
  ];
  /** What is not known of the party as a whole might undo what meets a requirement. */
  const withWhole = <One extends Found<unknown>>(found: One): One =>
    found.against.length > 0 || whole.length === 0
      ? found
      : { ...found, notKnown: [...whole, ...found.notKnown] };
  const state: StateCoverage<License, Appointment> = coverage.get(stateCode) ?? emptyState;
  const ofLicenses = { day, state, coverage, isHomeAsked: required.isHomeAsked };
  const insurers = {
    carrier,
    productCodes: requirement.config.carrierNaicCodes,
    stateCodes: rule.carrierNaicCodes,
    appointmentBy: rule.appointmentBy,
    company,
    codeInCatalog,
  };
  const onBinding =
    rule.appointment === 'on binding' ? { withinDays: rule.appointWithinDays ?? null } : undefined;
  return {
    licenses: isLicenseAsked ? withWhole(licensesFound(required, ofLicenses)) : undefined,
    appointments: isAppointmentAsked
      ? withWhole(appointmentsFound({ day, state, insurers, lines: appointmentLines, onBinding, saleSeenOn }))
      : undefined,
    further: furtherOf(rule).map((one) => withWhole(furtherFound(one, ofLicenses))),
  };
}

/** Several findings of licenses as one. */
export const joined = <Row>(one: Found<Row> | undefined, other: Found<Row>): Found<Row> => ({
  against: [...(one?.against ?? []), ...other.against],
  notKnown: [...(one?.notKnown ?? []), ...other.notKnown],
  warnings: [...(one?.warnings ?? []), ...other.warnings],
  rows: [...(one?.rows ?? []), ...other.rows],
});

/** Each thing once, by what it says. */
export const once = <One extends { readonly party: string; readonly code: string; readonly message: string }>(
  all: readonly One[],
): One[] =>
  all.length < 2
    ? [...all]
    : [...new Map(all.map((one) => [`${one.party} ${one.code} ${one.message}`, one])).values()];

/** The status that comes first in the order of them all, the last one where none is given, with what there is to say. */
export function statusOf<Name extends string>(
  order: readonly Name[],
  names: readonly (string | undefined)[],
  messages: readonly string[],
): Status<Name> {
  const statusName = order.find((name) => names.includes(name)) ?? (order.at(-1) as Name);
  return messages.length === 0 ? { statusName } : { statusName, statusMessages: [...new Set(messages)] };
}

export const verdictOf = (reasons: readonly Reason[]): Verdict => {
  if (reasons.length === 0) return 'yes';
  return reasons.some(isAgainst) ? 'no' : 'unknown';
};

/** Facts that count beside the findings about a party. */
interface FurtherFacts {
  readonly name?: string | undefined;
  /** What the carrier's own word has against it. */
  readonly ownWord?: readonly Said[];
  readonly warnings?: readonly SaidWarning[];
}

/**
 * The answer about a party by what is found of it.
 * @param requirement undefined where the product is not known.
 */
export function answerOf<License extends LicenseRow, Appointment extends AppointmentRow>(
  { party, coverage }: PartyFacts<License, Appointment>,
  { licenses, appointments }: Findings<License, Appointment>,
  requirement: Requirement | undefined,
  { stateCode, day }: Pick<Asked, 'stateCode' | 'day'>,
  { name, ownWord = [], warnings = [] }: FurtherFacts = {},
): Answer<License, Appointment> {
  const whose = { party: party === 'agent' ? 'seller' : party, name, stateCode } as const;
  const unjudged: Reason[] = [];
  if (requirement === undefined) {
    unjudged.push(reasonOf(whose, 'license', { code: 'product_unknown' }));
  } else if (requirement.rule === undefined) {
    unjudged.push(reasonOf(whose, 'license', { code: 'state_not_configured' }));
  }
  const reasonsOf = (found: Found<unknown> | undefined, subject: Subject): Reason[] => [
    ...unjudged,
    ...[...(found?.against ?? []), ...(found?.notKnown ?? [])].map((said) => reasonOf(whose, subject, said)),
  ];
  const warningsOf = (found: Found<unknown> | undefined): Warning[] =>
    (found?.warnings ?? []).map((said) => warningOf(whose, said));
  const [ofLicenses, ofAppointments] = [
    reasonsOf(licenses, 'license'),
    reasonsOf(appointments, 'appointment'),
  ];
  const own = ownWord.map((said) => reasonOf(whose, 'license', said));
  const reasons = once([...ofLicenses, ...ofAppointments, ...own]);
  const namesOf = (all: readonly Reason[], subject: Subject) =>
    all.map((reason) => statusOfReason(reason, subject));
  const messagesOf = (all: readonly Reason[]) => all.map(({ message }) => message);
  const met = appointments && (appointments.due === undefined ? 'Appointed' : 'Appointment on Binding');
  const state: StateCoverage<License, Appointment> = coverage.get(stateCode) ?? emptyState;
  return {
    verdict: verdictOf(reasons),
    licenseStatus: statusOf(
      licenseStatusNames,
      [licenses && 'Licensed', ...namesOf(ofLicenses, 'license')],
      messagesOf([...ofLicenses, ...own]),
    ),
    appointmentStatus: statusOf(
      appointmentStatusNames,
      [met, ...namesOf(ofAppointments, 'appointment')],
      messagesOf(ofAppointments),
    ),
    reasons,
    warnings: once([
      ...warningsOf(licenses),
      ...warningsOf(appointments),
      ...warnings.map((said) => warningOf(whose, said)),
    ]),
    onBinding: appointments?.onBinding ?? null,
    dueAppointment: appointments?.due ?? null,
    basis: basisOf(state, day),
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

export const earliest = (days: readonly (CalendarDate | null)[]): CalendarDate | null =>
  days.filter((day) => day !== null).sort(compare)[0] ?? null;

/** What the answer goes by: history only if everything that counts for the day was recorded by then. */
function basisOf({ licenses, appointments }: StateCoverage, day: CalendarDate): 'history' | 'registry dates' {
  const recorded = [...licenses, ...appointments].flatMap((holding: Holding<DatedSource<unknown>>) => {
    const mark = markOn(holding.days, day);
    return mark === undefined ? [] : recordedOn(holding, mark) <= day;
  });
  return recorded.length > 0 && recorded.every((is) => is) ? 'history' : 'registry dates';
}

/**
 * The answer about one party (OpenAPI, "How compliance is decided"): pure, without a clock; all that counts is in the question.
 * A further license is asked of it where licenses are, and an appointment of either where appointments are.
 */
export function decideParty<License extends LicenseRow, Appointment extends AppointmentRow>(
  question: PartyQuestion<License, Appointment>,
): PartyAnswer<License, Appointment> {
  const requirement = requirementOf(question, question.configs);
  const { further, ...findings } = findingsOf(question, requirement, question);
  const licenses = findings.licenses && further.reduce(joined<License>, findings.licenses);
  const answer = answerOf(question, { ...findings, licenses, further }, requirement, question);
  return {
    ...answer,
    // It takes a fifth of the time, and most callers do not look at it.
    get nextChange() {
      const { coverage, stateCode, configs, carrier, day, knownAt } = question;
      return earliest([
        nextChangeOf(coverage, day, [stateCode]),
        nextCodesOf(carrier.naicCodes, day),
        nextConfigOf(configs, day, knownAt),
        overdueFrom(answer, day),
      ]);
    },
  };
}
