import type { CarrierIdentity, WritingCompany } from '#domain/decision/carrier.ts';
import type { ClassKindVersion } from '#domain/decision/classes.ts';
import type { ConfigVersion } from '#domain/decision/compliance-config.ts';
import type { Party, Verdict } from '#domain/decision/decide.ts';
import type { ReasonCode, StatusName, Warning } from '#domain/decision/reasons.ts';
import { recordImport, recordReport, withAddition } from '#domain/decision/record.ts';
import {
  type ActionRow,
  type AppointmentRow,
  type HolderRecords,
  type LicenseRow,
  type LineRow,
  noRecords,
  type RecordKind,
  recordKinds,
  type SaleDay,
  type UnreadPlace,
} from '#domain/decision/records.ts';
import type { RuleId } from '#domain/decision/rules.ts';
import type { OwnWord } from '#domain/decision/sale.ts';
import { compare } from '#platform/data/keys.ts';
import { lineOf } from '../support/sample-records.ts';

// What the registry and imports say of a holder, as the tests of the decision write it down.

interface Moments {
  /** ISO time in UTC. */
  readonly at: string;
  /** When it was recorded, if later. */
  readonly recordedAt?: string;
  /** Calls of one command have its id; by default, a command is one call. */
  readonly id?: string;
}

/** What only a row of an import says. */
interface Given {
  readonly isDeleted?: boolean;
}

interface Rows<OfImport> {
  readonly licenses?: readonly (LicenseRow & OfImport)[];
  readonly appointments?: readonly (AppointmentRow & OfImport)[];
  readonly actions?: readonly (ActionRow & OfImport)[];
}

/** A report of the registry, of the kinds that it has. */
export type ReportCommand = Moments &
  Rows<unknown> & { readonly kind: 'report'; readonly unread?: readonly UnreadPlace[] };

/** Lines of an import. */
export type ImportCommand = Moments & Rows<Given> & { readonly kind: 'import'; readonly isComplete?: true };

/** One of them, a visit of the registry that does not find the NPN, or a sale of the party. */
export type CaseCommand =
  | ReportCommand
  | ImportCommand
  | (Moments & { readonly kind: 'not found' })
  | { readonly kind: 'sale'; readonly sale: SaleDay };

const recordedAtOf = (command: CaseCommand): string =>
  command.kind === 'sale' ? command.sale.day : (command.recordedAt ?? command.at);

/** Records one command after another, as the service does. */
export const recordedBy = (
  commands: readonly CaseCommand[],
  before: HolderRecords = noRecords,
): HolderRecords =>
  commands
    .toSorted((one, other) => compare(recordedAtOf(one), recordedAtOf(other)))
    .reduce(withCommand, before);

/** The records with what one more command adds. */
export function withCommand(records: HolderRecords, command: CaseCommand): HolderRecords {
  if (command.kind === 'sale') return { ...records, sales: [...records.sales, command.sale] };
  const { at, recordedAt = at, id = JSON.stringify(command) } = command;
  const recording = { id, at, recordedAt };
  if (command.kind === 'not found')
    return withAddition(records, recordReport(records, { ...recording, isFound: false }));
  const { licenses, appointments, actions } = command;
  if (command.kind === 'report')
    return withAddition(
      records,
      recordReport(records, {
        ...recording,
        rows: { license: licenses, appointment: appointments, 'regulatory action': actions },
        unread: command.unread ?? [],
        isFound: true,
      }),
    );
  const ofKinds = { license: licenses, appointment: appointments, 'regulatory action': actions };
  return recordKinds.reduce((before, kind) => {
    const rows = ofKinds[kind] ?? [];
    const completeStates = new Set(command.isComplete ? rows.map(({ stateCode }) => stateCode) : []);
    return withAddition(before, recordImport(before, { kind, rows, completeStates }, recording));
  }, records);
}

// What the cases of the decision are written in: each builder states one thing and leaves the rest as it usually is.

/** May these sell this product in this state on this day, as known at this moment? */
export interface CaseQuestion {
  readonly day: string;
  /** ISO time in UTC. */
  readonly knownAt: string;
  readonly stateCode: string;
  readonly party: Party;
  readonly configs: readonly [ConfigVersion, ...ConfigVersion[]];
  readonly carrier: CarrierIdentity;
  readonly classKinds?: readonly ClassKindVersion[];
  readonly company?: WritingCompany;
  /** The NAIC codes that the catalog gives names. */
  readonly catalog?: Readonly<Record<string, string>>;
  /** Of an agency without an NPN. */
  readonly npn?: 'missing' | 'not needed';
  /** Of a sale on the day: the day until which it is looked at whether who was to be appointed was. */
  readonly saleSeenOn?: string;
}

export interface CaseParty {
  readonly commands: readonly CaseCommand[];
  readonly npn?: 'missing' | 'not needed';
  readonly ownWord?: OwnWord;
  /** Null: never. */
  readonly verifiedAt?: string | null;
}

/** Who sells, where a case is about a sale and not about one party. */
export interface CaseSale {
  readonly agency?: CaseParty;
  readonly sellers?: readonly CaseParty[];
  readonly today?: string;
  readonly verifiedWithinDays?: number;
}

/** A reason as a case names it: its code, and a question mark where it says that something is not known. */
type CaseReason = ReasonCode | `${ReasonCode}?`;

/** What is expected; what is left out is not looked at. */
export interface CaseAnswer {
  readonly verdict: Verdict;
  readonly licenseStatus: StatusName<'license'>;
  readonly appointmentStatus: StatusName<'appointment'>;
  readonly reasons: readonly CaseReason[];
  readonly warnings?: readonly Warning['code'][];
  /** Of the license status. */
  readonly message?: string;
  readonly basis?: 'history' | 'registry dates';
  readonly configBasis?: 'version' | 'first version';
  /** Of a sale. */
  readonly goodUntil?: string | null;
  /** The rows of licenses that cover the day. */
  readonly licenses?: readonly LicenseRow[];
}

/** A rule at work, as data. */
export interface Case {
  readonly rule: RuleId;
  /** What is recorded, and what is asked, in words. */
  readonly example: string;
  readonly commands: readonly CaseCommand[];
  readonly question: CaseQuestion;
  readonly sale?: CaseSale;
  readonly answer: CaseAnswer;
}

/** A time of a day in New York, where a command or a moment names only the day. */
const momentOf = (day: string, time = '15:00:00.000'): string => (day.length > 10 ? day : `${day}T${time}Z`);

/** A producer's license of Texas, where she lives, in force since 2025-03-01. */
export const license = (fields: Partial<LicenseRow> = {}): LicenseRow => ({
  stateCode: 'TX',
  licenseNumber: '1001',
  licenseClassCode: 'P',
  licenseClassName: 'Producer',
  status: 'active',
  statusReason: null,
  statusDate: null,
  residencyStatus: 'resident',
  issueDate: '2025-03-01',
  nextRenewalDate: null,
  expirationDate: null,
  linesOfAuthority: [],
  ...fields,
});

const names: Readonly<Record<string, string>> = { '16': 'Casualty', '20': 'Property' };

/** A line of authority by its code. */
export const line = (code: string, fields: Partial<LineRow> = {}): LineRow =>
  lineOf({ code, name: names[code] ?? code, ...fields });

/** Lines of authority by their codes, and a status. */
export const lines = (codes: readonly string[], status = 'active'): readonly LineRow[] =>
  codes.map((code) => line(code, { status }));

/** An appointment of the carrier for all lines, since 2025-03-01. */
export const appointment = (fields: Partial<AppointmentRow> = {}): AppointmentRow => ({
  stateCode: 'TX',
  carrierName: 'Beacon Specialty Insurance Company',
  ein: null,
  companyCode: '19437',
  lineOfAuthorityCode: null,
  lineOfAuthorityName: null,
  status: 'Appointed',
  terminationReason: null,
  statusChangeDate: '2025-03-01',
  effectiveDate: null,
  renewalDate: null,
  countyName: null,
  countyCode: null,
  ...fields,
});

/** Its termination. */
export const terminated = (fields: Partial<AppointmentRow> = {}): AppointmentRow =>
  appointment({ status: 'Terminated', statusChangeDate: '2026-02-01', ...fields });

/** What a report of the registry has of a holder's licenses. */
export const licenseReport = (at: string, ...licenses: readonly LicenseRow[]): ReportCommand => ({
  kind: 'report',
  at: momentOf(at),
  licenses,
});

/** What a report of the registry has of a holder's appointments. */
export const appointmentReport = (at: string, ...appointments: readonly AppointmentRow[]): ReportCommand => ({
  kind: 'report',
  at: momentOf(at),
  appointments,
});

/** A visit of the registry, which does not find the NPN. */
export const notFound = (at: string) => ({ kind: 'not found', at: momentOf(at) }) as const;

/** Licenses that an import states, as `license` has them but for these fields. */
export const licenseImport = (
  at: string,
  ...rows: readonly (Partial<LicenseRow> & Given)[]
): ImportCommand => ({
  kind: 'import',
  at: momentOf(at),
  licenses: rows.map((fields) => ({ ...license(), ...fields })),
});

/** Appointments that an import states. */
export const appointmentImport = (
  at: string,
  ...appointments: readonly (AppointmentRow & Given)[]
): ImportCommand => ({ kind: 'import', at: momentOf(at), appointments });

/** An import that has all of its kind. */
export const complete = (command: ImportCommand): ImportCommand => ({ ...command, isComplete: true });

/** A state's action, which is identified by its disposition. */
export const actionOf = (
  disposition: string,
  fields: Partial<ActionRow> & Given = {},
): ActionRow & Given => ({
  stateCode: 'TX',
  actionId: disposition,
  disposition,
  dateOfAction: null,
  effectiveDate: null,
  enterDate: null,
  lengthOfOrderInDays: null,
  ...fields,
});

/** An import of a state's action. */
export const action = (
  at: string,
  disposition: string,
  fields: Partial<ActionRow> & Given = {},
): ImportCommand => ({ kind: 'import', at: momentOf(at), actions: [actionOf(disposition, fields)] });

/** What a report of the registry has of a holder's actions. */
export const actionReport = (at: string, ...actions: readonly ActionRow[]): ReportCommand => ({
  kind: 'report',
  at: momentOf(at),
  actions,
});

/** The same report with a row of a kind that could not be read, in a state, or in one that could not be read either. */
export const partlyUnread = (
  command: ReportCommand,
  kind: RecordKind,
  stateCode: string | null = 'TX',
): ReportCommand => ({ ...command, unread: [{ kind, stateCode }] });

/** A sale in Texas. */
export const sold = (day: string, carrierNaicCode?: string): CaseCommand => ({
  kind: 'sale',
  sale: {
    stateCode: 'TX',
    transactionId: day,
    day,
    lines: [],
    ...(carrierNaicCode === undefined ? {} : { carrierNaicCode }),
  },
});

/** A license that covers every day, with the lines 16 and 20. */
export const licensed: CaseCommand = licenseImport('2020-01-02', {
  licenseNumber: '9',
  issueDate: '2000-01-01',
  linesOfAuthority: lines(['16', '20']),
});

export const beacon: CarrierIdentity = {
  name: 'Beacon Specialty',
  naicCodes: ['19437'],
  eins: ['75-1234567'],
};

/** A carrier that writes for two companies. */
export const group: CarrierIdentity = { name: 'Beacon', naicCodes: ['19437', '10847'], eins: [] };

type State = ConfigVersion['states'][number];

/** A version of a config about Texas, recorded when it comes into force: no lines of authority, no appointment. */
export const config = (
  state: Partial<State> = {},
  { validFrom = '2020-01-01', ...version }: Partial<Omit<ConfigVersion, 'states'>> = {},
): ConfigVersion => ({
  states: [{ stateCode: 'TX', linesOfAuthority: [], appointment: 'not required', ...state }],
  validFrom,
  recordedAt: `${validFrom}T15:00:00.000Z`,
  ...version,
});

export interface CaseAsked extends Partial<Omit<CaseQuestion, 'day' | 'configs'>> {
  /** What the product requires, if it has no versions of its own. */
  readonly requires?: Partial<State>;
  /** Lines of authority that it requires. */
  readonly lines?: State['linesOfAuthority'];
  readonly carrierNaicCodes?: readonly string[];
  readonly configs?: CaseQuestion['configs'];
  readonly sale?: CaseSale;
}

/** What is known in the end about an agent in Texas; a license is all that is required. */
export const on = (
  day: string,
  {
    requires,
    lines: linesOfAuthority = [],
    carrierNaicCodes,
    knownAt,
    sale: _sale,
    ...asked
  }: CaseAsked = {},
): CaseQuestion => ({
  day,
  knownAt: momentOf(knownAt ?? '2030-01-01', '23:59:59.999'),
  stateCode: 'TX',
  party: 'agent',
  carrier: beacon,
  configs: [
    config(
      { linesOfAuthority, ...requires },
      carrierNaicCodes === undefined ? {} : { carrierNaicCodes: [...carrierNaicCodes] },
    ),
  ],
  ...asked,
});

/** What is answered: the statuses, and the reasons, of which those with a question mark are not known. */
export const answered = (
  licenseStatus: StatusName<'license'>,
  appointmentStatus: StatusName<'appointment'>,
  ...reasons: readonly CaseReason[]
): CaseAnswer => ({
  verdict: reasons.length === 0 ? 'yes' : reasons.every((reason) => reason.endsWith('?')) ? 'unknown' : 'no',
  licenseStatus,
  appointmentStatus,
  reasons,
});

/** An answer to what is asked about a day, and what else is expected of it. */
export const asks =
  (expected: CaseAnswer, required?: Partial<State>) =>
  (day: string, { requires, ...asked }: CaseAsked = {}, more: Partial<CaseAnswer> = {}) => ({
    question: on(day, { ...asked, requires: { ...required, ...requires } }),
    ...(asked.sale === undefined ? {} : { sale: asked.sale }),
    answer: { ...expected, ...more },
  });

/** Of licenses alone: what is not known, or is against. */
export const licenseNotKnown = (...reasons: readonly `${ReasonCode}?`[]) =>
  asks(answered('License Not Known', 'Not Required', ...reasons));

export const isLicensed = asks(answered('Licensed', 'Not Required'));
export const noLicense = asks(answered('Missing License', 'Not Required', 'license_missing'));
export const notBegun = asks(answered('Missing License', 'Not Required', 'license_not_begun'));
export const isExpired = asks(answered('Expired License', 'Not Required', 'license_expired'));
export const noLine = asks(answered('Missing Line of Authority', 'Not Required', 'line_missing'));
export const wrongClass = asks(answered('Wrong License Class', 'Not Required', 'license_class_wrong'));
export const homeNotActive = asks(
  answered('Home State License Not Active', 'Not Required', 'home_state_license_not_active'),
);
export const underOrder = asks(answered('Regulatory Action', 'Not Required', 'regulatory_action_in_force'));
export const notConfigured = asks(
  answered('State Not Configured', 'State Not Configured', 'state_not_configured'),
);

const appointmentRequired = { appointment: 'required' } as const;
// About appointments, of a product that requires one.
export const isAppointed = asks(answered('Licensed', 'Appointed'), appointmentRequired);
export const onBinding = asks(answered('Licensed', 'Appointment on Binding'), { appointment: 'on binding' });
export const forCause = asks(answered('Licensed', 'Not Appointed', 'terminated_for_cause'), {
  appointment: 'on binding',
});
export const notAppointed = asks(
  answered('Licensed', 'Not Appointed', 'appointment_missing'),
  appointmentRequired,
);
export const appointmentEnded = asks(
  answered('Licensed', 'Not Appointed', 'appointment_ended'),
  appointmentRequired,
);
export const appointmentNotKnown = (...reasons: readonly `${ReasonCode}?`[]) =>
  asks(answered('Licensed', 'Appointment Not Known', ...reasons), appointmentRequired);

type Example = Omit<Case, 'rule'>;

/** What is asked once these commands are recorded: the answers by their examples, as `Case` has them. */
export const after = (...commands: readonly CaseCommand[]) => ({
  asked: (questions: Readonly<Record<string, ReturnType<typeof isLicensed>>>): readonly Example[] =>
    Object.entries(questions).map(([example, one]) => ({ example, commands, ...one })),
});

/** Cases by their rules. */
export const casesOf = (
  byRule: Readonly<Partial<Record<RuleId, readonly (Example | readonly Example[])[]>>>,
): readonly Case[] =>
  Object.entries(byRule).flatMap(([rule, examples]) =>
    examples.flat().map((one) => ({ rule: rule as RuleId, ...one })),
  );
