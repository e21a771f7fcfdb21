import { type CalendarDate, calendarDate } from '../../platform/dates/calendar.ts';
import type { Appointment } from '../registry-records/appointment.ts';
import type { License } from '../registry-records/license.ts';
import { type AppointingCarrier, type CarrierIdentity, isAppointedBy } from './carrier-identity.ts';
import type {
  appointmentStatusNames,
  complianceStatuses,
  licenseStatusNames,
} from './compliance-statuses.ts';
import { isActive, isLive, isStanding, renewalStatusOf } from './renewal-status.ts';
import type { ComplianceConfig, LineRequirement } from './resource.ts';

/** The records of a producer or an agency that are checked against a product's config. */
export interface ComplianceQuestion {
  readonly config: Pick<ComplianceConfig, 'states' | 'carrierNaicCodes'>;
  readonly stateCode: License['stateCode'];
  /** Licenses and appointments of one NPN, in any states; the appointments of any carriers. */
  readonly licenses: readonly Pick<
    License,
    'stateCode' | 'status' | 'nextRenewalDate' | 'linesOfAuthority'
  >[];
  readonly appointments: readonly (AppointingCarrier &
    Pick<
      Appointment,
      'stateCode' | 'status' | 'lineOfAuthorityCode' | 'terminationReason' | 'renewalDate'
    >)[];
  /** Whose appointments count. */
  readonly carrier: CarrierIdentity;
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

/**
 * Whether someone may sell a product in a state (OpenAPI, "listAgentLicenseComplianceStatuses"). Licensed needs an
 * active license of that state that has not expired, resident or not, and every required line of authority active on
 * one such license or another. Appointed needs appointments by the carrier for every required line. A state that the
 * config does not list requires only a license.
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

const codesOf = (entry: LineRequirement): readonly string[] =>
  typeof entry === 'string' ? [entry] : entry.anyOf;

const named = (entry: LineRequirement): string => codesOf(entry).join(' or ');

function licenseStatusOf(
  { stateCode, licenses, today }: ComplianceQuestion,
  required: readonly LineRequirement[],
): LicenseStatus {
  const inState = licenses.filter((one) => one.stateCode === stateCode);
  const live = inState.filter((one) => isLive(one, today));
  if (live.length === 0) {
    const lastDay = inState
      .filter((one) => renewalStatusOf(one, today) === 'expired')
      .map((one) => calendarDate(one.nextRenewalDate ?? ''))
      .sort()
      .at(-1);
    return lastDay === undefined
      ? { statusName: 'Missing License', statusMessages: [`No active license in ${stateCode}.`] }
      : {
          statusName: 'Expired License',
          statusMessages: [`The license in ${stateCode} expired on ${lastDay}.`],
        };
  }
  const held = new Set(
    live.flatMap(({ linesOfAuthority }) => linesOfAuthority.filter(isActive).map(({ code }) => code)),
  );
  const missing = required.filter((entry) => !codesOf(entry).some((code) => held.has(code))).map(named);
  return missing.length === 0
    ? { statusName: 'Licensed' }
    : {
        statusName: 'Missing Line of Authority',
        statusMessages: [`No active line of authority ${missing.join(', ')} in ${stateCode}.`],
      };
}

function appointmentStatusOf(
  { config, stateCode, appointments, carrier, today }: ComplianceQuestion,
  requirement: ComplianceConfig['states'][number]['appointment'],
  required: readonly LineRequirement[],
): AppointmentStatus {
  if (requirement === 'not required') return { statusName: 'Not Required' };
  const counting = appointments.filter(
    (one) =>
      one.stateCode === stateCode &&
      isInForce(one, today) &&
      isAppointedBy(one, carrier, config.carrierNaicCodes),
  );
  // An appointment without a line covers all of them.
  const coversAll = counting.some(({ lineOfAuthorityCode }) => (lineOfAuthorityCode ?? '') === '');
  const lines = new Set(counting.map(({ lineOfAuthorityCode }) => lineOfAuthorityCode));
  const missing = coversAll
    ? []
    : required.filter((entry) => !codesOf(entry).some((code) => lines.has(code))).map(named);
  if (counting.length > 0 && missing.length === 0) return { statusName: 'Appointed' };
  if (requirement === 'on binding') return { statusName: 'Appointment on Binding' };
  const what = counting.length === 0 ? '' : ` for line of authority ${missing.join(', ')}`;
  return { statusName: 'Not Appointed', statusMessages: [`No active appointment${what} in ${stateCode}.`] };
}

/** Whether an appointment holds on a day: a termination or a passed date ends it, whatever its status still says. */
const isInForce = (appointment: ComplianceQuestion['appointments'][number], today: CalendarDate): boolean =>
  isStanding(appointment) &&
  (appointment.renewalDate === null || calendarDate(appointment.renewalDate) >= today);
