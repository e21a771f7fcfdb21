import type { CalendarDate } from '../../platform/dates/calendar.ts';
import type { ComplianceBasis } from '../compliance/compliance-statuses.ts';
import type { LineRequirement } from '../compliance/resource.ts';
import type { CarrierIdentity } from './carrier.ts';
import type { ConfigBasis, ConfigVersion } from './configs.ts';
import type { Coverage } from './coverage.ts';
import type { AppointmentRow, LicenseRow } from './facts.ts';
import type { AppointmentStatusName, LicenseStatusName, Reason, Warning } from './reasons.ts';

/** Who is judged: an agency, or a producer who sells. */
export type Party = 'agency' | 'agent';

/** `no` where a reason is against, else `unknown` where one is not known. */
export type Verdict = 'yes' | 'no' | 'unknown';

/** The insurer that writes a sale, as the sale names it. */
export interface WritingCompany {
  readonly naicCode?: string | undefined;
  readonly name?: string | undefined;
}

/** What is asked, whoever is judged. */
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
  /** The NAIC code that the catalog of carriers gives a name. */
  readonly codeInCatalog?: ((name: string) => string | undefined) | undefined;
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

/** What is left to be done where a carrier appoints when it binds. */
export interface DueAppointment {
  /** Entries of the requirement that no appointment meets yet; none where any appointment would do. */
  readonly linesOfAuthority: readonly LineRequirement[];
  /** Days from the binding on; null where there is no limit. */
  readonly withinDays: number | null;
}

export interface Answer<
  License extends LicenseRow = LicenseRow,
  Appointment extends AppointmentRow = AppointmentRow,
> {
  readonly verdict: Verdict;
  readonly licenseStatus: Status<LicenseStatusName>;
  readonly appointmentStatus: Status<AppointmentStatusName>;
  /** Empty exactly where the verdict is `yes`. */
  readonly reasons: readonly Reason[];
  readonly warnings: readonly Warning[];
  /** With the status `Appointment on Binding`, the appointment that is to be made; else null. */
  readonly dueAppointment: DueAppointment | null;
  /** `history` where everything that counts was recorded by the day, else `registry dates`. */
  readonly basis: Exclude<ComplianceBasis, 'current'>;
  readonly configBasis: ConfigBasis;
  /** The rows that a `yes` rests on. */
  readonly covering: { readonly licenses: readonly License[]; readonly appointments: readonly Appointment[] };
  /** The first later day on which the answer may be another one, as known at the moment; null where there is none. */
  readonly nextChange: CalendarDate | null;
}

/** A question about one party alone, as lists, the overview, and events ask it: of its own word, nothing counts. */
export interface PartyQuestion<
  License extends LicenseRow = LicenseRow,
  Appointment extends AppointmentRow = AppointmentRow,
> extends Asked,
    PartyFacts<License, Appointment> {}

/** The answer about one party (OpenAPI, "How compliance is decided"): pure, without a clock; all that counts is in the question. */
export declare function decideParty<License extends LicenseRow, Appointment extends AppointmentRow>(
  question: PartyQuestion<License, Appointment>,
): Answer<License, Appointment>;
