import type { CarrierIdentity } from '../../shared/domain/decision/carrier.ts';
import type { ConfigVersion } from '../../shared/domain/decision/configs.ts';
import type {
  AppointmentStatusName,
  LicenseStatusName,
  Party,
  Reason,
} from '../../shared/domain/decision/decide.ts';
import type { AppointmentRow, LicenseRow } from '../../shared/domain/decision/facts.ts';
import type { RuleId } from '../../shared/domain/decision/rules.ts';

// What the cases of the decision are written in: each builder states one thing and leaves the rest as it usually is.

interface CommandTimes {
  /** ISO time in UTC. */
  readonly at: string;
  /** When its rows were written, if later. */
  readonly recordedAt?: string;
  /** When a list was recorded as a whole, if later than its rows; null if it never was. */
  readonly closedAt?: string | null;
}

/** A poll's lists, each complete for all states, or lines of an import. */
export type CaseCommand = CommandTimes &
  (
    | {
        readonly kind: 'list';
        readonly licenses?: readonly LicenseRow[];
        readonly appointments?: readonly AppointmentRow[];
      }
    | {
        readonly kind: 'import';
        readonly licenses?: readonly (LicenseRow & {
          readonly validFrom?: string;
          readonly isDeleted?: boolean;
        })[];
        readonly appointments?: readonly (AppointmentRow & { readonly isDeleted?: boolean })[];
      }
  );

/** May this party sell this product in this state on this day, as known at this moment? */
export interface CaseQuestion {
  readonly day: string;
  /** ISO time in UTC. */
  readonly knownAt: string;
  readonly stateCode: string;
  readonly party: Party;
  readonly configs: readonly [ConfigVersion, ...ConfigVersion[]];
  readonly carrier: CarrierIdentity;
}

/** What is expected; what is left out is not looked at. */
export interface CaseAnswer {
  readonly complianceStatus: 'COMPLIANT' | 'NOT_COMPLIANT';
  readonly licenseStatus: LicenseStatusName;
  readonly appointmentStatus: AppointmentStatusName;
  readonly reasons: readonly Reason['code'][];
  /** Of the license status. */
  readonly message?: string;
  readonly basis?: 'history' | 'registry dates';
  readonly configBasis?: 'version' | 'first version';
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
  readonly answer: CaseAnswer;
}

/** A time of a day in New York, where a command or a moment names only the day. */
const timeOf = (day: string, time: string): string => (day.length > 10 ? day : `${day}T${time}Z`);

/** A license of Texas, in force since 2025-03-01. */
export const license = (fields: Partial<LicenseRow> = {}): LicenseRow => ({
  stateCode: 'TX',
  licenseNumber: '1001',
  licenseClassCode: 'P',
  status: 'active',
  issueDate: '2025-03-01',
  nextRenewalDate: null,
  expirationDate: null,
  linesOfAuthority: [],
  ...fields,
});

const names: Readonly<Record<string, string>> = { '16': 'Casualty', '20': 'Property' };

/** Lines of authority by their codes, and a status. */
export const lines = (codes: readonly string[], status = 'active'): LicenseRow['linesOfAuthority'] =>
  codes.map((code) => ({ code, name: names[code] ?? code, status }));

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
  renewalDate: null,
  countyName: null,
  ...fields,
});

/** Its termination. */
export const terminated = (fields: Partial<AppointmentRow> = {}): AppointmentRow =>
  appointment({ status: 'Terminated', statusChangeDate: '2026-02-01', ...fields });

/** The registry's list of a holder's licenses. */
export const licenseList = (at: string, ...licenses: readonly LicenseRow[]): CaseCommand => ({
  kind: 'list',
  at: timeOf(at, '15:00:00.000'),
  licenses,
});

/** The registry's list of a holder's appointments. */
export const appointmentList = (at: string, ...appointments: readonly AppointmentRow[]): CaseCommand => ({
  kind: 'list',
  at: timeOf(at, '15:00:00.000'),
  appointments,
});

/** A poll of the registry, which does not find the NPN. */
export const notFound = (at: string): CaseCommand => ({ kind: 'list', at: timeOf(at, '15:00:00.000') });

type Imported = Partial<LicenseRow> & { readonly validFrom?: string; readonly isDeleted?: boolean };

/** Licenses that an import states, as `license` has them but for these fields. */
export const licenseImport = (at: string, ...rows: readonly Imported[]): CaseCommand => ({
  kind: 'import',
  at: timeOf(at, '15:00:00.000'),
  licenses: rows.map(({ validFrom, isDeleted, ...fields }) => ({
    ...license(fields),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(isDeleted === undefined ? {} : { isDeleted }),
  })),
});

/** Appointments that an import states. */
export const appointmentImport = (
  at: string,
  ...appointments: readonly (AppointmentRow & { readonly isDeleted?: boolean })[]
): CaseCommand => ({ kind: 'import', at: timeOf(at, '15:00:00.000'), appointments });

/** A license that covers every day, with the lines 16 and 20. */
export const licensed: CaseCommand = licenseImport('2020-01-02', {
  licenseNumber: '9',
  issueDate: null,
  linesOfAuthority: lines(['16', '20']),
});

export const beacon: CarrierIdentity = {
  name: 'Beacon Specialty',
  naicCodes: ['19437'],
  eins: ['75-1234567'],
};

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

interface Asked extends Partial<Omit<CaseQuestion, 'day' | 'configs'>> {
  /** What the product requires, if it has no versions of its own. */
  readonly requires?: Partial<State>;
  /** Lines of authority that it requires. */
  readonly lines?: State['linesOfAuthority'];
  readonly carrierNaicCodes?: readonly string[];
  readonly configs?: CaseQuestion['configs'];
}

/** What is known in the end about an agent in Texas; a license is all that is required. */
export const on = (
  day: string,
  { requires, lines: linesOfAuthority = [], carrierNaicCodes, knownAt, ...asked }: Asked = {},
): CaseQuestion => ({
  day,
  knownAt: timeOf(knownAt ?? '2030-01-01', '23:59:59.999'),
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

const answer = (
  licenseStatus: LicenseStatusName,
  appointmentStatus: AppointmentStatusName,
  ...reasons: readonly Reason['code'][]
): CaseAnswer => ({
  complianceStatus: reasons.length === 0 ? 'COMPLIANT' : 'NOT_COMPLIANT',
  licenseStatus,
  appointmentStatus,
  reasons,
});

/** What is answered, by its name. */
export const answers = {
  isLicensed: answer('Licensed', 'Not Required'),
  noLicense: answer('Missing License', 'Not Required', 'license_missing'),
  notBegun: answer('Missing License', 'Not Required', 'license_not_begun'),
  isExpired: answer('Expired License', 'Not Required', 'license_expired'),
  noLine: answer('Missing Line of Authority', 'Not Required', 'line_missing'),
  isAppointed: answer('Licensed', 'Appointed'),
  onBinding: answer('Licensed', 'Appointment on Binding'),
  notAppointed: answer('Licensed', 'Not Appointed', 'appointment_missing'),
  appointmentEnded: answer('Licensed', 'Not Appointed', 'appointment_ended'),
};

/** An answer to what is asked about a day, and what else is expected of it. */
const asks =
  (expected: CaseAnswer, required?: Partial<State>) =>
  (day: string, { requires, ...asked }: Asked = {}, more: Partial<CaseAnswer> = {}) => ({
    question: on(day, { ...asked, requires: { ...required, ...requires } }),
    answer: { ...expected, ...more },
  });

export const isLicensed = asks(answers.isLicensed);
export const noLicense = asks(answers.noLicense);
export const notBegun = asks(answers.notBegun);
export const isExpired = asks(answers.isExpired);
export const noLine = asks(answers.noLine);
// About appointments, of a product that requires one.
export const isAppointed = asks(answers.isAppointed, { appointment: 'required' });
export const onBinding = asks(answers.onBinding, { appointment: 'required' });
export const notAppointed = asks(answers.notAppointed, { appointment: 'required' });
export const appointmentEnded = asks(answers.appointmentEnded, { appointment: 'required' });

type Example = Omit<Case, 'rule'>;

/** What is asked once these commands are recorded: the answers by their examples, as `Case` has them. */
export const after = (...commands: readonly CaseCommand[]) => ({
  asked: (questions: Readonly<Record<string, ReturnType<typeof isLicensed>>>): readonly Example[] =>
    Object.entries(questions).map(([example, one]) => ({ example, commands, ...one })),
});

/** Cases by their rules. */
export const casesOf = (
  byRule: Readonly<Record<RuleId, readonly (Example | readonly Example[])[]>>,
): readonly Case[] =>
  Object.entries(byRule).flatMap(([rule, examples]) =>
    examples.flat().map((one) => ({ rule: rule as RuleId, ...one })),
  );
