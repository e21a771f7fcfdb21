import * as z from 'zod/mini';
import type { CalendarDate } from '#platform/dates/dates.ts';
import { type LineRequirement, named } from './compliance-config.ts';
import type { RuleId } from './rules.ts';

/**
 * The number of the rules and of their tables of words. It rises by one with every change of what is answered, or of what a receipt
 * hashes: receipts of an earlier number are not decided again, and baselines of one are first made by the present rules.
 */
export const rulesNumber = 10;

/** Parties whose matter a reason may be. */
export const reasonParty = z.enum(['seller', 'agency', 'product', 'company']);

type ReasonParty = z.output<typeof reasonParty>;

/** Status that something is about. */
export type Subject = 'license' | 'appointment';

/** The statuses, strictest first. */
export const statusNames = {
  license: [
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
  ],
  appointment: [
    'State Not Configured',
    'Not Appointed',
    'Appointment Not Known',
    'Appointment on Binding',
    'Appointed',
    'Not Required',
  ],
} as const satisfies Readonly<Record<Subject, readonly string[]>>;

export type StatusName<Of extends Subject = Subject> = (typeof statusNames)[Of][number];

/** Details of a reason or a warning beside its code, as far as its words need them. */
interface About {
  readonly stateCode: string;
  readonly of: Subject;
  /** Entries of a requirement that nothing meets. */
  readonly lines?: readonly LineRequirement[];
  /** The last or the first day of something. */
  readonly day?: CalendarDate | undefined;
  /** Class, status, or line as the records, or the requirement, spell it. */
  readonly what?: string;
}

type Details = Omit<About, 'stateCode' | 'of'>;

/** Words for what is the matter, and for what would mend it, as an order to whoever is responsible. */
type Words = (about: About) => readonly [message: string, remedy: string];

/** A reason of a kind: the rule that it rests on, the statuses that it gives, none where it changes none, and its words. */
const ofKind =
  (kind: 'against' | 'not known') => (rule: RuleId, statuses: readonly StatusName[], words: Words) => ({
    kind,
    rule,
    statuses,
    words,
  });

const against = ofKind('against');
const ofUnknown = ofKind('not known');
const ofLicense = ['License Not Known'] as const;
const ofAppointment = ['Appointment Not Known'] as const;
const ofBoth = [...ofLicense, ...ofAppointment] as const;

/** The lines of a reason: ` for line 16`, ` for lines 16 or 17, 20`, nothing where there are none. */
const forLines = (lines: readonly LineRequirement[] = []): string =>
  lines.length === 0 ? '' : ` for ${lines.length === 1 ? 'line' : 'lines'} ${named(lines)}`;

const forAuthority = (lines: readonly LineRequirement[] = []): string =>
  lines.length === 0 ? '' : ` for line of authority ${named(lines)}`;

const noAppointment = ({ stateCode, lines }: About): string =>
  `No active appointment${forAuthority(lines)} in ${stateCode}.`;

const homeNotKnown = ({ stateCode }: Pick<About, 'stateCode'>): string =>
  `Whether a license in the home state is active, as the non-resident license in ${stateCode} presupposes, is not known.`;

/** The field of a row that says since when it has its status. */
const sinceField = { license: 'statusDate', appointment: 'statusChangeDate' };
const pluralOf = { license: 'licenses or regulatory actions', appointment: 'appointments' };

/** Words of a reason that is found out before it is decided is worded where it is found. */
const wordedElsewhere: Words = () => ['', ''];
type WordedElsewhere = 'not_associated' | 'ambiguous';

/** Every reason that keeps somebody from selling: something that is asked for is not in force, or not known. */
const reasons = {
  state_not_configured: against('state-not-configured', ['State Not Configured'], ({ stateCode }) => [
    `The product is not configured in ${stateCode}.`,
    `Add ${stateCode} to the product’s compliance config.`,
  ]),
  regulatory_action_in_force: against('order', ['Regulatory Action'], ({ stateCode }) => [
    `A regulatory action in ${stateCode} is in force.`,
    `Have the regulatory action in ${stateCode} lifted.`,
  ]),
  license_missing: against('missing', ['Missing License'], ({ stateCode }) => [
    `No active license in ${stateCode}.`,
    `Obtain a license in ${stateCode}.`,
  ]),
  license_not_begun: against('missing', ['Missing License'], ({ stateCode, day }) => [
    `The license in ${stateCode} begins on ${day}.`,
    `Wait until ${day}, when the license in ${stateCode} begins.`,
  ]),
  further_license_missing: against('further-licenses', ['Missing License'], ({ stateCode, what, lines }) => [
    `No further license of class ${what}${forAuthority(lines)} in ${stateCode}.`,
    `Obtain a license of class ${what} in ${stateCode}${forLines(lines)}, for the seller or the agency.`,
  ]),
  license_expired: against('expired', ['Expired License'], ({ stateCode, day }) => [
    `The license in ${stateCode} expired on ${day}.`,
    `Renew the license in ${stateCode}.`,
  ]),
  home_state_license_not_active: against('home-state', ['Home State License Not Active'], ({ stateCode }) => [
    `The non-resident license in ${stateCode} does not count, because no license in the home state is active.`,
    'Renew or reinstate the license in the home state.',
  ]),
  license_class_wrong: against('class-wrong', ['Wrong License Class'], ({ stateCode, what }) => [
    `The license in ${stateCode} is of a class that does not count: ${what}.`,
    `Obtain a license in ${stateCode} of a class that counts.`,
  ]),
  line_missing: against('each-line', ['Missing Line of Authority'], ({ stateCode, lines = [] }) => [
    `No active line of authority${lines.length === 0 ? '' : ` ${named(lines)}`} in ${stateCode}.`,
    `Extend the license in ${stateCode}${forLines(lines)}.`,
  ]),
  appointment_missing: against('not-appointed', ['Not Appointed'], (about) => [
    noAppointment(about),
    `Appoint in ${about.stateCode}${forLines(about.lines)}.`,
  ]),
  appointment_ended: against('not-appointed', ['Not Appointed'], (about) => [
    noAppointment(about),
    `Appoint again in ${about.stateCode}${forLines(about.lines)}.`,
  ]),
  appointment_overdue: against('appointment-overdue', ['Not Appointed'], ({ stateCode, lines, day }) => [
    `The appointment${forAuthority(lines)} in ${stateCode}, due on ${day} after a sale, is overdue.`,
    `Appoint in ${stateCode}${forLines(lines)}.`,
  ]),
  appointment_late: against('appointment-late', ['Not Appointed'], ({ stateCode, lines, day }) => [
    `The appointment${forAuthority(lines)} in ${stateCode} was not made by ${day}, as it had to be after the sale.`,
    `Report the late appointment in ${stateCode}, and appoint${forLines(lines)} if that is still to be done.`,
  ]),
  terminated_for_cause: against('for-cause', ['Not Appointed'], ({ stateCode, lines }) => [
    `The last appointment in ${stateCode} was terminated for cause.`,
    `Appoint again in ${stateCode}${forLines(lines)}, before a sale.`,
  ]),
  authority_missing: against('authority', [], ({ stateCode }) => [
    `The agent has no authority for the product in ${stateCode}.`,
    `Approve ${stateCode} in the agent’s authority for the product.`,
  ]),
  seller_archived: against('archived', [], () => [
    'The agent is archived.',
    'Take the agent out of the archive.',
  ]),
  association_not_active: against('association', [], () => [
    'The association with the agency is not active.',
    'Activate the association with the agency.',
  ]),
  not_associated: against('association', [], wordedElsewhere),
  license_unknown: ofUnknown('not-known', ofLicense, ({ stateCode }) => [
    `Whether the license in ${stateCode} was active is not known.`,
    `Import since when the license in ${stateCode} has its status (statusDate, issueDate), or the report of that day.`,
  ]),
  home_state_license_unknown: ofUnknown('home-state-unknown', ofLicense, (about) => [
    homeNotKnown(about),
    'Import the present license of the home state, or the registry’s report of that day.',
  ]),
  regulatory_action_unknown: ofUnknown('order-unknown', ofLicense, ({ stateCode }) => [
    `Whether a regulatory action in ${stateCode} forbids the sale is not known.`,
    `Read the order in ${stateCode}, and import its length (lengthOfOrderInDays) and whether it is in force (disposition).`,
  ]),
  class_unrecognized: ofUnknown('class-unrecognized', ofLicense, ({ stateCode, what }) => [
    `The class of the license in ${stateCode} is not recognized: ${what}.`,
    `Import the class of the license in ${stateCode} (licenseClassCode, licenseClassName), or, where the product names no classes, have its kind imported.`,
  ]),
  appointment_unknown: ofUnknown('not-known', ofAppointment, ({ stateCode, lines }) => [
    `Whether the appointment${forAuthority(lines)} in ${stateCode} was active is not known.`,
    `Import since when the appointment in ${stateCode} has its status (statusChangeDate, effectiveDate), or the report of that day.`,
  ]),
  company_unknown: ofUnknown('company-unknown', ofAppointment, () => [
    'Which of the companies whose appointments count writes the policy is not known.',
    'Name the company by its NAIC code, add that to the codes that count, or import its appointment with it.',
  ]),
  status_unrecognized: ofUnknown('status-unrecognized', ofBoth, ({ stateCode, of, what }) => [
    `The status of the ${of} in ${stateCode} is not recognized: ${what}.`,
    `Import the ${of} in ${stateCode} with a status that is recognized, and since when it has it (${sinceField[of]}).`,
  ]),
  row_not_understood: ofUnknown('row-not-understood', ofBoth, ({ stateCode, of }) => [
    `A row of the registry’s report about ${pluralOf[of]} in ${stateCode} could not be read.`,
    'Synchronize with the registry again, or import a report of that day that can be read.',
  ]),
  npn_missing: ofUnknown('npn-missing', ofBoth, () => [
    'The agency has no NPN.',
    'Add the agency’s NPN, or, where the agent alone may meet what is required, say that it needs none.',
  ]),
  npn_not_found: ofUnknown('npn-not-found', ofBoth, () => [
    'The registry does not find the NPN.',
    'Find out the present NPN, and record it.',
  ]),
  not_verified: ofUnknown('not-verified', ofBoth, ({ stateCode, day }) => [
    day === undefined
      ? `The records in ${stateCode} were never verified.`
      : `The records in ${stateCode} were last verified on ${day}.`,
    'Synchronize the records with the registry.',
  ]),
  seller_unknown: ofUnknown('not-identified', ofBoth, () => [
    'The agent was not identified.',
    'Import the agent, or confirm or name another one.',
  ]),
  seller_not_named: ofUnknown('seller-not-named', ofBoth, () => [
    'No agent of the agency is named: name one in the transaction, or have it set that your policies name none.',
    'Name the agent who sold the policy.',
  ]),
  agency_unknown: ofUnknown('not-identified', ofBoth, () => [
    'The agency was not identified.',
    'Import the agency, or confirm or name another one.',
  ]),
  product_unknown: ofUnknown('not-identified', ofBoth, () => [
    'The product was not identified.',
    'Import a compliance config of the product, or name another one.',
  ]),
  ambiguous: ofUnknown('not-identified', ofBoth, wordedElsewhere),
};

export type ReasonCode = keyof typeof reasons;

/** The codes of reasons, with what each comes to. */
export const reasonList = (Object.keys(reasons) as ReasonCode[]).map((code) => ({ code, ...reasons[code] }));

/** Something that keeps a party, or a sale, from being a yes. */
export const reason = z.object({
  party: reasonParty,
  code: z.enum(Object.keys(reasons) as ReasonCode[]),
  /** Id of the rule that says so. */
  rule: z.string(),
  /** Sentence for people that says what is the matter; the other, what would mend it. */
  message: z.string(),
  remedy: z.string(),
});

export type Reason = z.output<typeof reason>;

/** A reason before it is said whose it is. */
export interface ReasonDraft extends Details {
  readonly code: Exclude<ReasonCode, WordedElsewhere>;
}

export interface WarningDraft extends Details {
  readonly code: WarningCode;
}

/** Party of a reason or a warning, and its state. */
export interface Whose {
  readonly party: ReasonParty;
  /** Name by which its words call the party; undefined where they need not name it. */
  readonly name?: string | undefined;
  readonly stateCode: string;
}

/** The status that a reason gives; undefined where it changes none. */
export const statusOfReason = ({ code }: Pick<Reason, 'code'>, of: Subject): StatusName | undefined =>
  statusNames[of].find((name) => reasons[code].statuses.includes(name));

/** Whether a reason says that something is not in force, rather than not known. */
export const isAgainst = ({ code }: Pick<Reason, 'code'>): boolean => reasons[code].kind === 'against';

/** The rule that a reason rests on. */
export const ruleOfReason = (code: ReasonCode): RuleId => reasons[code].rule;

const spokenOf = (name: string | undefined, text: string): string =>
  name === undefined ? text : `${name}: ${text}`;

/** Party whose matter a reason is, where that is not the party of the party of whom it is found. */
const partyOfCode: Partial<Record<ReasonCode, ReasonParty>> = {
  state_not_configured: 'product',
  product_unknown: 'product',
  company_unknown: 'company',
};

/** A reason in its words. */
export function reasonOf({ party, name, stateCode }: Whose, of: Subject, said: ReasonDraft): Reason {
  const { code } = said;
  const [message, remedy] = reasons[code].words({ ...said, stateCode, of });
  const partyOfReason = partyOfCode[code];
  return {
    party: partyOfReason ?? party,
    code,
    rule: ruleOfReason(code),
    message: spokenOf(partyOfReason === undefined ? name : undefined, message),
    remedy,
  };
}

const warningOfRule = (rule: RuleId, message: (about: Omit<About, 'of'>) => string) => ({ rule, message });

/** Warnings, which never change an answer: the rule and the words of each. */
const warnings = {
  home_state_license_unknown: warningOfRule('home-state-unknown', homeNotKnown),
  company_not_named: warningOfRule(
    'company-not-named',
    () => 'The company that writes the policy is not named, and not all that may write it have appointed.',
  ),
  renewal_date_passed: warningOfRule(
    'renewal-date',
    ({ stateCode, day }) => `The renewal date of the appointment in ${stateCode}, ${day}, has passed.`,
  ),
  ce_not_in_compliance: warningOfRule(
    'continuing-education',
    ({ stateCode, what }) =>
      `The holder lacks continuing education for line of authority ${what} in ${stateCode}.`,
  ),
  association_of_today: warningOfRule(
    'association',
    () =>
      'As of today, the organization would not let this sale happen; what it said on that day is not known.',
  ),
};

type WarningCode = keyof typeof warnings;

/** The codes of warnings, with the rule and the words of each. */
export const warningList = (Object.keys(warnings) as WarningCode[]).map((code) => ({
  code,
  ...warnings[code],
}));

export const warning = z.object({
  ...z.omit(reason, { remedy: true }).shape,
  code: z.enum(Object.keys(warnings) as WarningCode[]),
});

export type Warning = z.output<typeof warning>;

/** A warning in its words. */
export const warningOf = ({ party, name, stateCode }: Whose, said: WarningDraft): Warning => ({
  party,
  code: said.code,
  rule: warnings[said.code].rule,
  message: spokenOf(name, warnings[said.code].message({ ...said, stateCode })),
});
