import { type CalendarDate, calendarDate } from '../dates/calendar.ts';
import type { Appointment } from '../resources/appointment.ts';
import type {
  appointmentStatusNames,
  ComplianceConfig,
  complianceStatuses,
  licenseStatusNames,
} from '../resources/compliance.ts';
import type { License } from '../resources/license.ts';

/** The records of a producer or an agency that are checked against a product's config. */
export interface ComplianceQuestion {
  readonly config: Pick<ComplianceConfig, 'states'>;
  readonly stateCode: License['stateCode'];
  /** Licenses and appointments of one NPN, in any states. */
  readonly licenses: readonly Pick<
    License,
    'stateCode' | 'status' | 'nextRenewalDate' | 'linesOfAuthority'
  >[];
  readonly appointments: readonly Pick<Appointment, 'stateCode' | 'status' | 'lineOfAuthorityCode'>[];
  /** The calendar date in New York. */
  readonly today: CalendarDate;
}

interface Status<Name extends string> {
  statusName: Name;
  /** Absent where there is nothing to do. */
  statusMessages?: string[];
}

export type LicenseStatus = Status<(typeof licenseStatusNames)[number]>;
export type AppointmentStatus = Status<(typeof appointmentStatusNames)[number]>;

export interface Compliance {
  complianceStatus: (typeof complianceStatuses)[number];
  licenseStatus: LicenseStatus;
  appointmentStatus: AppointmentStatus;
}

/** Whether the registry reports a record as active, in any spelling. */
export const isActive = ({ status }: { readonly status: string }): boolean =>
  status.trim().toLowerCase() === 'active';

/**
 * Whether a license has expired: its last day is past, whatever its status still says (OpenAPI,
 * "listAgentLicenseComplianceStatuses"). One without a renewal date does not expire.
 */
export const isExpired = (
  { nextRenewalDate }: Pick<License, 'nextRenewalDate'>,
  today: CalendarDate,
): boolean => nextRenewalDate !== null && calendarDate(nextRenewalDate) < today;

/**
 * Whether someone may sell a product in a state (OpenAPI, "listAgentLicenseComplianceStatuses"). Licensed needs an
 * active license of that state that has not expired, resident or not, and every required line of authority active on
 * one such license or another. A state that the config does not list requires only a license.
 */
export function complianceOf(question: ComplianceQuestion): Compliance {
  const requirement = question.config.states.find(({ stateCode }) => stateCode === question.stateCode);
  const lines = requirement?.linesOfAuthority ?? [];
  const licenseStatus = licenseStatusOf(question, lines);
  const appointmentStatus = appointmentStatusOf(question, requirement?.appointment ?? 'not required', lines);
  const isCompliant =
    licenseStatus.statusName === 'Licensed' && appointmentStatus.statusName !== 'Not Appointed';
  return {
    complianceStatus: isCompliant ? 'COMPLIANT' : 'NOT_COMPLIANT',
    licenseStatus,
    appointmentStatus,
  };
}

function licenseStatusOf(
  { stateCode, licenses, today }: ComplianceQuestion,
  required: readonly string[],
): LicenseStatus {
  const active = licenses.filter((one) => one.stateCode === stateCode && isActive(one));
  if (active.length === 0) {
    return { statusName: 'Missing License', statusMessages: [`No active license in ${stateCode}.`] };
  }
  const live = active.filter((one) => !isExpired(one, today));
  if (live.length === 0) {
    const last = active.map((one) => calendarDate(one.nextRenewalDate ?? '')).reduce(later);
    return {
      statusName: 'Expired License',
      statusMessages: [`The license in ${stateCode} expired on ${last}.`],
    };
  }
  const held = new Set(
    live.flatMap(({ linesOfAuthority }) => linesOfAuthority.filter(isActive).map(({ code }) => code)),
  );
  const missing = required.filter((code) => !held.has(code));
  return missing.length === 0
    ? { statusName: 'Licensed' }
    : {
        statusName: 'Missing Line of Authority',
        statusMessages: [`No active line of authority ${missing.join(', ')} in ${stateCode}.`],
      };
}

const later = (one: CalendarDate, other: CalendarDate): CalendarDate => (other > one ? other : one);

function appointmentStatusOf(
  { stateCode, appointments }: ComplianceQuestion,
  requirement: ComplianceConfig['states'][number]['appointment'],
  lines: readonly string[],
): AppointmentStatus {
  if (requirement === 'not required') return { statusName: 'Not Required' };
  const counts = ({ lineOfAuthorityCode }: ComplianceQuestion['appointments'][number]): boolean =>
    // An appointment that names no line covers all of them, and a product that names none accepts any.
    lineOfAuthorityCode === null || lines.length === 0 || lines.includes(lineOfAuthorityCode);
  const isAppointed = appointments.some((one) => one.stateCode === stateCode && isActive(one) && counts(one));
  if (isAppointed) return { statusName: 'Appointed' };
  return requirement === 'on binding'
    ? { statusName: 'Appointment on Binding' }
    : { statusName: 'Not Appointed', statusMessages: [`No active appointment in ${stateCode}.`] };
}
