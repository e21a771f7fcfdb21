import type { CalendarDate } from '../../platform/dates/dates.ts';
import { type LineRequirement, named } from './compliance-config.ts';

/**
 * The number of the rules and of their tables of words. It rises by one with every change of what is answered, or of what a receipt
 * hashes: receipts of an earlier number are not decided again, and baselines of one are first made by the present rules.
 */
export const rulesNumber = 3;

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
  'npn_missing',
  'npn_not_found',
  'not_verified',
  'seller_unknown',
  'seller_not_named',
  'agency_unknown',
  'product_unknown',
  'ambiguous',
] as const;

/**
 * Every reason that keeps somebody from selling, with the status that it gives: `against`, because something that is asked for is
 * not in force, or `not known`. A code may be either, and of licenses or of appointments.
 */
export const reasonList = [
  {
    code: 'state_not_configured',
    kind: 'against',
    license: 'State Not Configured',
    appointment: 'State Not Configured',
  },
  { code: 'regulatory_action_in_force', kind: 'against', license: 'Regulatory Action' },
  { code: 'license_missing', kind: 'against', license: 'Missing License' },
  { code: 'license_not_begun', kind: 'against', license: 'Missing License' },
  { code: 'further_license_missing', kind: 'against', license: 'Missing License' },
  { code: 'license_expired', kind: 'against', license: 'Expired License' },
  { code: 'home_state_license_not_active', kind: 'against', license: 'Home State License Not Active' },
  { code: 'license_class_wrong', kind: 'against', license: 'Wrong License Class' },
  { code: 'line_missing', kind: 'against', license: 'Missing Line of Authority' },
  { code: 'appointment_missing', kind: 'against', appointment: 'Not Appointed' },
  { code: 'appointment_ended', kind: 'against', appointment: 'Not Appointed' },
  { code: 'appointment_overdue', kind: 'against', appointment: 'Not Appointed' },
  { code: 'appointment_late', kind: 'against', appointment: 'Not Appointed' },
  { code: 'terminated_for_cause', kind: 'against', appointment: 'Not Appointed' },
  { code: 'authority_missing', kind: 'against' },
  { code: 'seller_archived', kind: 'against' },
  { code: 'association_not_active', kind: 'against' },
  { code: 'not_associated', kind: 'against' },
  { code: 'license_unknown', kind: 'not known', license: 'License Not Known' },
  { code: 'regulatory_action_in_force', kind: 'not known', license: 'License Not Known' },
  { code: 'class_unrecognized', kind: 'not known', license: 'License Not Known' },
  { code: 'appointment_unknown', kind: 'not known', appointment: 'Appointment Not Known' },
  { code: 'company_unknown', kind: 'not known', appointment: 'Appointment Not Known' },
  { code: 'status_unrecognized', ...notKnownOfEither },
  { code: 'row_not_understood', ...notKnownOfEither },
  ...ofTheWhole.map((code) => ({ code, ...notKnownOfEither })),
] as const;

export type ReasonCode = (typeof reasonList)[number]['code'];
type ReasonKind = (typeof reasonKinds)[number];

export const reasonKinds = ['against', 'not known'] as const;

/** Of which status a reason is: the license status, that of the appointment, or neither. */
export const reasonMatters = ['license', 'appointment', 'sale'] as const;

/** Something that keeps a party, or a sale, from being a yes. */
export interface Reason {
  readonly party: ReasonParty;
  readonly code: ReasonCode;
  readonly kind: ReasonKind;
  readonly of: (typeof reasonMatters)[number];
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
  readonly kind: ReasonKind;
}

type Words<Text> = (about: About) => Text;

/** The lines of a reason: ` for line 16`, ` for lines 16 or 17, 20`, nothing where there are none. */
const forLines = (lines: readonly LineRequirement[] = []): string =>
  lines.length === 0 ? '' : ` for ${lines.length === 1 ? 'line' : 'lines'} ${named(lines)}`;

const forAuthority = (lines: readonly LineRequirement[] = []): string =>
  lines.length === 0 ? '' : ` for line of authority ${named(lines)}`;

const noAppointment: Words<string> = ({ stateCode, lines }) =>
  `No active appointment${forAuthority(lines)} in ${stateCode}.`;

const statusesOf = new Map<string, Partial<Record<Subject, string>>>(
  reasonList.map(({ code, kind, ...statuses }) => [`${code} ${kind}`, statuses]),
);

/** The status that a reason gives; undefined where it changes none. */
export const statusOfReason = (
  { code, kind }: Pick<Reason, 'code' | 'kind'>,
  of: Subject,
): string | undefined => statusesOf.get(`${code} ${kind}`)?.[of];

/** The message of each reason, and what would mend it, as an order to whoever is responsible. */
const reasonWords: Readonly<Record<Said['code'], Words<readonly [string, string]>>> = {
  state_not_configured: ({ stateCode }) => [
    `The product is not configured in ${stateCode}.`,
    `Add ${stateCode} to the product’s compliance config.`,
  ],
  regulatory_action_in_force: ({ stateCode, kind }) =>
    kind === 'against'
      ? [
          `A regulatory action in ${stateCode} is in force.`,
          `Have the regulatory action in ${stateCode} lifted.`,
        ]
      : [
          `A cease and desist order in ${stateCode} is in force.`,
          `Find out whether the order in ${stateCode} forbids the sale.`,
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
    `Import since when the license in ${stateCode} has its status.`,
  ],
  class_unrecognized: ({ stateCode, what }) => [
    `The class of the license in ${stateCode} is not recognized: ${what}.`,
    'Have the kind of the class imported.',
  ],
  status_unrecognized: ({ stateCode, of, what }) => [
    `The status of the ${of} in ${stateCode} is not recognized: ${what}.`,
    `Import the ${of} in ${stateCode} with a status that is recognized.`,
  ],
  row_not_understood: ({ stateCode, of }) => [
    `A record of the ${of} in ${stateCode} could not be read.`,
    `Correct the record of the ${of} in ${stateCode}, and import or synchronize it again.`,
  ],
  appointment_unknown: ({ stateCode, lines }) => [
    `Whether the appointment${forAuthority(lines)} in ${stateCode} was active is not known.`,
    `Import from when until when the appointment in ${stateCode} is active.`,
  ],
  company_unknown: () => [
    'Which company writes the policy is not known, and not all that may write it have appointed.',
    'Name the company by its NAIC code.',
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

const wholeCodes: ReadonlySet<ReasonCode> = new Set([
  ...ofTheWhole,
  'state_not_configured',
  'authority_missing',
  'seller_archived',
  'association_not_active',
]);

/** A reason in its words. */
export function reasonOf(
  { party, name, stateCode }: Whose,
  kind: ReasonKind,
  of: Subject,
  said: Said,
): Reason {
  const { code } = said;
  const [message, remedy] = reasonWords[code]({ ...said, stateCode, kind, of });
  const others = partyOfCode[code];
  return {
    party: others ?? party,
    code,
    kind,
    of: wholeCodes.has(code) ? 'sale' : of,
    message: spokenOf(others === undefined ? name : undefined, message),
    remedy,
  };
}

/** What is worth knowing beside an answer, and never changes it. */
export const warningCodes = [
  'home_state_license_unknown',
  'company_not_named',
  'line_date_unknown',
  'end_unmatched',
  'row_not_understood',
  'ce_not_in_compliance',
  'association_of_today',
] as const;

type WarningCode = (typeof warningCodes)[number];

export interface Warning {
  readonly party: ReasonParty;
  readonly code: WarningCode;
  readonly message: string;
}

type WarningWords = (about: SaidWarning & { readonly stateCode: string; readonly of: Subject }) => string;

const warningWords: Readonly<Record<WarningCode, WarningWords>> = {
  home_state_license_unknown: ({ stateCode }) =>
    `Whether a license in the home state is active, as the non-resident license in ${stateCode} presupposes, is not known.`,
  company_not_named: () =>
    'The company that writes the policy is not named, and not all that may write it have appointed.',
  line_date_unknown: ({ stateCode, lines = [] }) =>
    `Since when the license in ${stateCode} has line of authority ${named(lines)} is not known, so it counts from the beginning of the license.`,
  end_unmatched: ({ stateCode, of }) =>
    `The end of ${of === 'license' ? 'a license' : 'an appointment'} in ${stateCode} was reported that ended nothing, because it fits none that is recorded.`,
  row_not_understood: ({ stateCode }) =>
    `A record of an appointment in ${stateCode} could not be read, and names no company.`,
  ce_not_in_compliance: ({ stateCode, what }) =>
    `The holder lacks continuing education for line of authority ${what} in ${stateCode}.`,
  association_of_today: () =>
    'As of today, the organization would not let this sale happen; what it said on that day is not known.',
};

/** A warning in its words. */
export const warningOf = ({ party, name, stateCode }: Whose, of: Subject, said: SaidWarning): Warning => ({
  party,
  code: said.code,
  message: spokenOf(name, warningWords[said.code]({ ...said, stateCode, of })),
});
