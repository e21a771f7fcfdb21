import type { CalendarDate } from '../../platform/dates/dates.ts';
import { type LineRequirement, named } from './compliance-config.ts';
import type { RuleId } from './rules.ts';

/**
 * The number of the rules and of their tables of words. It rises by one with every change of what is answered, or of what a receipt
 * hashes: receipts of an earlier number are not decided again, and baselines of one are first made by the present rules.
 */
export const rulesNumber = 4;

/** Whose matter a reason is. */
export const reasonParties = ['seller', 'agency', 'product', 'company'] as const;

type ReasonParty = (typeof reasonParties)[number];

/** License statuses, strictest first. */
export const licenseStatusNames = [
  'State Not Configured',
  'Regulatory Action',
  'Missing License',
  'Expired License',
  'Home State License Not Active',
  'Wrong License Class',
  'Missing Line of Authority',
  'License Not Known',
  'Licensed',
  'Not Required',
] as const;

/** Appointment statuses, strictest first. */
export const appointmentStatusNames = [
  'State Not Configured',
  'Not Appointed',
  'Appointment Not Known',
  'Appointment on Binding',
  'Appointed',
  'Not Required',
] as const;

export type LicenseStatusName = (typeof licenseStatusNames)[number];
export type AppointmentStatusName = (typeof appointmentStatusNames)[number];

const notKnownOfEither = {
  kind: 'not known',
  license: 'License Not Known',
  appointment: 'Appointment Not Known',
} as const;

/** What is not known of a party, or of a sale, as a whole: of both statuses, where something is asked. */
const ofTheWhole = [
  { code: 'npn_missing', rule: 'npn-missing' },
  { code: 'npn_not_found', rule: 'npn-not-found' },
  { code: 'not_verified', rule: 'not-verified' },
  { code: 'seller_unknown', rule: 'not-identified' },
  { code: 'seller_not_named', rule: 'seller-not-named' },
  { code: 'agency_unknown', rule: 'not-identified' },
  { code: 'product_unknown', rule: 'not-identified' },
  { code: 'ambiguous', rule: 'not-identified' },
] as const;

interface ReasonRow {
  readonly code: string;
  readonly rule: RuleId;
  readonly kind: 'against' | 'not known';
  readonly license?: LicenseStatusName;
  readonly appointment?: AppointmentStatusName;
}

/**
 * Every reason that keeps somebody from selling, with its rule and the status that it gives: `against`, because something that is
 * asked for is not in force, or `not known`.
 */
export const reasonList = [
  {
    code: 'state_not_configured',
    rule: 'state-not-configured',
    kind: 'against',
    license: 'State Not Configured',
    appointment: 'State Not Configured',
  },
  { code: 'regulatory_action_in_force', rule: 'order', kind: 'against', license: 'Regulatory Action' },
  { code: 'license_missing', rule: 'missing', kind: 'against', license: 'Missing License' },
  { code: 'license_not_begun', rule: 'missing', kind: 'against', license: 'Missing License' },
  { code: 'further_license_missing', rule: 'further-licenses', kind: 'against', license: 'Missing License' },
  { code: 'license_expired', rule: 'expired', kind: 'against', license: 'Expired License' },
  {
    code: 'home_state_license_not_active',
    rule: 'home-state',
    kind: 'against',
    license: 'Home State License Not Active',
  },
  { code: 'license_class_wrong', rule: 'class-wrong', kind: 'against', license: 'Wrong License Class' },
  { code: 'line_missing', rule: 'each-line', kind: 'against', license: 'Missing Line of Authority' },
  { code: 'appointment_missing', rule: 'not-appointed', kind: 'against', appointment: 'Not Appointed' },
  { code: 'appointment_ended', rule: 'not-appointed', kind: 'against', appointment: 'Not Appointed' },
  { code: 'appointment_overdue', rule: 'appointment-overdue', kind: 'against', appointment: 'Not Appointed' },
  { code: 'appointment_late', rule: 'appointment-late', kind: 'against', appointment: 'Not Appointed' },
  { code: 'terminated_for_cause', rule: 'for-cause', kind: 'against', appointment: 'Not Appointed' },
  { code: 'authority_missing', rule: 'authority', kind: 'against' },
  { code: 'seller_archived', rule: 'archived', kind: 'against' },
  { code: 'association_not_active', rule: 'association', kind: 'against' },
  { code: 'not_associated', rule: 'association', kind: 'against' },
  { code: 'license_unknown', rule: 'not-known', kind: 'not known', license: 'License Not Known' },
  {
    code: 'home_state_license_unknown',
    rule: 'home-state-unknown',
    kind: 'not known',
    license: 'License Not Known',
  },
  {
    code: 'regulatory_action_unknown',
    rule: 'order-unknown',
    kind: 'not known',
    license: 'License Not Known',
  },
  { code: 'class_unrecognized', rule: 'class-unrecognized', kind: 'not known', license: 'License Not Known' },
  { code: 'appointment_unknown', rule: 'not-known', kind: 'not known', appointment: 'Appointment Not Known' },
  {
    code: 'company_unknown',
    rule: 'company-unknown',
    kind: 'not known',
    appointment: 'Appointment Not Known',
  },
  { code: 'status_unrecognized', rule: 'status-unrecognized', ...notKnownOfEither },
  { code: 'row_not_understood', rule: 'row-not-understood', ...notKnownOfEither },
  ...ofTheWhole.map((one) => ({ ...one, ...notKnownOfEither })),
] as const satisfies readonly ReasonRow[];

export type ReasonCode = (typeof reasonList)[number]['code'];
/** Something that keeps a party, or a sale, from being a yes. */
export interface Reason {
  readonly party: ReasonParty;
  readonly code: ReasonCode;
  /** Id of the rule that says so. */
  readonly rule: string;
  /** What is the matter, and what would mend it, for people. */
  readonly message: string;
  readonly remedy: string;
}

/** What a reason or a warning says beside its code, as far as its words need it. */
interface Details {
  /** Entries of a requirement that nothing meets. */
  readonly lines?: readonly LineRequirement[];
  /** The last or the first day of something. */
  readonly day?: CalendarDate | undefined;
  /** As the records, or the requirement, spell it: a class, a status, or a line. */
  readonly what?: string;
}

/** What is found out about a question before it is decided is worded where it is found. */
type WordedElsewhere = 'not_associated' | 'ambiguous';

/** A reason before it is said whose it is. */
export interface Said extends Details {
  readonly code: Exclude<ReasonCode, WordedElsewhere>;
}

export interface SaidWarning extends Details {
  readonly code: WarningCode;
}

/** Whose a reason or a warning is, and where. */
export interface Whose {
  readonly party: ReasonParty;
  /** What its words call the party; undefined where they need not name it. */
  readonly name?: string | undefined;
  readonly stateCode: string;
}

/** Which of the two statuses something is about. */
export type Subject = 'license' | 'appointment';

interface About extends Details {
  readonly stateCode: string;
  readonly of: Subject;
}

type Words<Text> = (about: About) => Text;

/** The lines of a reason: ` for line 16`, ` for lines 16 or 17, 20`, nothing where there are none. */
const forLines = (lines: readonly LineRequirement[] = []): string =>
  lines.length === 0 ? '' : ` for ${lines.length === 1 ? 'line' : 'lines'} ${named(lines)}`;

const forAuthority = (lines: readonly LineRequirement[] = []): string =>
  lines.length === 0 ? '' : ` for line of authority ${named(lines)}`;

const noAppointment: Words<string> = ({ stateCode, lines }) =>
  `No active appointment${forAuthority(lines)} in ${stateCode}.`;

const rowsByCode = Object.fromEntries(
  reasonList.map((row): [string, ReasonRow] => [row.code, row]),
) as Readonly<Record<ReasonCode, ReasonRow>>;

/** The status that a reason gives; undefined where it changes none. */
export const statusOfReason = ({ code }: Pick<Reason, 'code'>, of: Subject): string | undefined =>
  rowsByCode[code][of];

/** Whether a reason says that something is not in force, rather than not known. */
export const isAgainst = ({ code }: Pick<Reason, 'code'>): boolean => rowsByCode[code].kind === 'against';

/** The rule that a reason rests on. */
export const ruleOfReason = (code: ReasonCode): RuleId => rowsByCode[code].rule;

const pluralOf: Readonly<Record<Subject, string>> = {
  license: 'licenses or regulatory actions',
  appointment: 'appointments',
};

/** The field of a row that says since when it has its status. */
const sinceOf: Readonly<Record<Subject, string>> = {
  license: 'statusDate',
  appointment: 'statusChangeDate',
};

/** The message of each reason, and what would mend it, as an order to whoever is responsible. */
const reasonWords: Readonly<Record<Said['code'], Words<readonly [string, string]>>> = {
  state_not_configured: ({ stateCode }) => [
    `The product is not configured in ${stateCode}.`,
    `Add ${stateCode} to the product’s compliance config.`,
  ],
  regulatory_action_in_force: ({ stateCode }) => [
    `A regulatory action in ${stateCode} is in force.`,
    `Have the regulatory action in ${stateCode} lifted.`,
  ],
  license_missing: ({ stateCode }) => [
    `No active license in ${stateCode}.`,
    `Obtain a license in ${stateCode}.`,
  ],
  license_not_begun: ({ stateCode, day }) => [
    `The license in ${stateCode} begins on ${day}.`,
    `Wait until ${day}, when the license in ${stateCode} begins.`,
  ],
  further_license_missing: ({ stateCode, what, lines }) => [
    `No further license of class ${what}${forAuthority(lines)} in ${stateCode}.`,
    `Obtain a license of class ${what} in ${stateCode}${forLines(lines)}, for the seller or the agency.`,
  ],
  license_expired: ({ stateCode, day }) => [
    `The license in ${stateCode} expired on ${day}.`,
    `Renew the license in ${stateCode}.`,
  ],
  home_state_license_not_active: ({ stateCode }) => [
    `The non-resident license in ${stateCode} does not count, because no license in the home state is active.`,
    'Renew or reinstate the license in the home state.',
  ],
  license_class_wrong: ({ stateCode, what }) => [
    `The license in ${stateCode} is of a class that does not count: ${what}.`,
    `Obtain a license in ${stateCode} of a class that counts.`,
  ],
  line_missing: ({ stateCode, lines = [] }) => [
    `No active line of authority${lines.length === 0 ? '' : ` ${named(lines)}`} in ${stateCode}.`,
    `Extend the license in ${stateCode}${forLines(lines)}.`,
  ],
  appointment_missing: (about) => [
    noAppointment(about),
    `Appoint in ${about.stateCode}${forLines(about.lines)}.`,
  ],
  appointment_ended: (about) => [
    noAppointment(about),
    `Appoint again in ${about.stateCode}${forLines(about.lines)}.`,
  ],
  appointment_overdue: ({ stateCode, lines, day }) => [
    `The appointment${forAuthority(lines)} in ${stateCode}, due on ${day} after a sale, is overdue.`,
    `Appoint in ${stateCode}${forLines(lines)}.`,
  ],
  appointment_late: ({ stateCode, lines, day }) => [
    `The appointment${forAuthority(lines)} in ${stateCode} was not made by ${day}, as it had to be after the sale.`,
    `Report the late appointment in ${stateCode}, and appoint${forLines(lines)} if that is still to be done.`,
  ],
  terminated_for_cause: ({ stateCode, lines }) => [
    `The last appointment in ${stateCode} was terminated for cause.`,
    `Appoint again in ${stateCode}${forLines(lines)}, before a sale.`,
  ],
  authority_missing: ({ stateCode }) => [
    `The agent has no authority for the product in ${stateCode}.`,
    `Approve ${stateCode} in the agent’s authority for the product.`,
  ],
  seller_archived: () => ['The agent is archived.', 'Take the agent out of the archive.'],
  association_not_active: () => [
    'The association with the agency is not active.',
    'Activate the association with the agency.',
  ],
  license_unknown: ({ stateCode }) => [
    `Whether the license in ${stateCode} was active is not known.`,
    `Import since when the license in ${stateCode} has its status (statusDate, issueDate), or the report of that day.`,
  ],
  home_state_license_unknown: ({ stateCode }) => [
    `Whether a license in the home state is active, as the non-resident license in ${stateCode} presupposes, is not known.`,
    'Import the present license of the home state, or the registry’s report of that day.',
  ],
  regulatory_action_unknown: ({ stateCode }) => [
    `Whether a regulatory action in ${stateCode} forbids the sale is not known.`,
    `Read the order in ${stateCode}, and import its length (lengthOfOrderInDays) and whether it is in force (disposition).`,
  ],
  class_unrecognized: ({ stateCode, what }) => [
    `The class of the license in ${stateCode} is not recognized: ${what}.`,
    'Have the kind of the class imported.',
  ],
  status_unrecognized: ({ stateCode, of, what }) => [
    `The status of the ${of} in ${stateCode} is not recognized: ${what}.`,
    `Import the ${of} in ${stateCode} with a status that is recognized, and since when it has it (${sinceOf[of]}).`,
  ],
  row_not_understood: ({ stateCode, of }) => [
    `A row of the registry’s report about ${pluralOf[of]} in ${stateCode} could not be read.`,
    'Synchronize with the registry again, or import a report of that day that can be read.',
  ],
  appointment_unknown: ({ stateCode, lines }) => [
    `Whether the appointment${forAuthority(lines)} in ${stateCode} was active is not known.`,
    `Import since when the appointment in ${stateCode} has its status (statusChangeDate, effectiveDate), or the report of that day.`,
  ],
  company_unknown: () => [
    'Which of the companies whose appointments count writes the policy is not known.',
    'Name the company by its NAIC code, or add that to the codes that count.',
  ],
  npn_missing: () => [
    'The agency has no NPN.',
    'Add the agency’s NPN, or, where the agent alone may meet what is required, say that it needs none.',
  ],
  npn_not_found: () => ['The registry no longer finds the NPN.', 'Find out the present NPN, and record it.'],
  not_verified: ({ stateCode, day }) => [
    day === undefined
      ? `The records in ${stateCode} were never verified.`
      : `The records in ${stateCode} were last verified on ${day}.`,
    'Synchronize the records with the registry.',
  ],
  seller_unknown: () => [
    'The agent was not identified.',
    'Import the agent, or confirm who sold the policy.',
  ],
  agency_unknown: () => [
    'The agency was not identified.',
    'Import the agency, or confirm which agency sold the policy.',
  ],
  seller_not_named: () => [
    'No agent is named: name the agent in the transaction, or have it set that your policies name none.',
    'Name the agent who sold the policy.',
  ],
  product_unknown: () => [
    'The product was not identified.',
    'Import a compliance config of the product, or name another one.',
  ],
};

const spokenOf = (name: string | undefined, text: string): string =>
  name === undefined ? text : `${name}: ${text}`;

/** Whose matter a reason is, where it is not that of the party of whom it is found. */
const partyOfCode: Partial<Record<ReasonCode, ReasonParty>> = {
  state_not_configured: 'product',
  product_unknown: 'product',
  company_unknown: 'company',
};

/** A reason in its words. */
export function reasonOf({ party, name, stateCode }: Whose, of: Subject, said: Said): Reason {
  const { code } = said;
  const [message, remedy] = reasonWords[code]({ ...said, stateCode, of });
  const others = partyOfCode[code];
  return {
    party: others ?? party,
    code,
    rule: ruleOfReason(code),
    message: spokenOf(others === undefined ? name : undefined, message),
    remedy,
  };
}

/** What is worth knowing beside an answer, and never changes it, by its rule. */
export const warningRules = {
  home_state_license_unknown: 'home-state-unknown',
  company_not_named: 'company-not-named',
  renewal_date_passed: 'renewal-date',
  ce_not_in_compliance: 'continuing-education',
  association_of_today: 'association',
} as const satisfies Readonly<Record<string, RuleId>>;

type WarningCode = keyof typeof warningRules;

export const warningCodes = Object.keys(warningRules) as WarningCode[];

export interface Warning {
  readonly party: ReasonParty;
  readonly code: WarningCode;
  readonly rule: string;
  readonly message: string;
}

type WarningWords = (about: SaidWarning & { readonly stateCode: string }) => string;

const warningWords: Readonly<Record<WarningCode, WarningWords>> = {
  home_state_license_unknown: ({ stateCode }) =>
    `Whether a license in the home state is active, as the non-resident license in ${stateCode} presupposes, is not known.`,
  company_not_named: () =>
    'The company that writes the policy is not named, and not all that may write it have appointed.',
  renewal_date_passed: ({ stateCode, day }) =>
    `The renewal date of the appointment in ${stateCode}, ${day}, has passed.`,
  ce_not_in_compliance: ({ stateCode, what }) =>
    `The holder lacks continuing education for line of authority ${what} in ${stateCode}.`,
  association_of_today: () =>
    'As of today, the organization would not let this sale happen; what it said on that day is not known.',
};

/** A warning in its words. */
export const warningOf = ({ party, name, stateCode }: Whose, said: SaidWarning): Warning => ({
  party,
  code: said.code,
  rule: warningRules[said.code],
  message: spokenOf(name, warningWords[said.code]({ ...said, stateCode })),
});
