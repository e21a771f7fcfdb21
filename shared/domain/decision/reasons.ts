import type { CalendarDate } from '../../platform/dates/calendar.ts';
import type { LineRequirement } from '../compliance/resource.ts';

/**
 * The number of the rules and of their tables of words. It rises by one with every change of what is answered, or of what a receipt
 * hashes: receipts of an earlier number are not decided again, and baselines of one are first made by the present rules.
 */
export const rulesNumber = 2;

/** Whose matter a reason is. */
export const reasonParties = ['seller', 'agency', 'product', 'company'] as const;

export type ReasonParty = (typeof reasonParties)[number];

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

/**
 * Every reason that keeps somebody from selling: `against`, because something that is asked for is not in force, or `not known`.
 * A code may be either.
 */
export const reasonList = [
  { code: 'state_not_configured', kind: 'against' },
  { code: 'regulatory_action_in_force', kind: 'against' },
  { code: 'license_missing', kind: 'against' },
  { code: 'license_not_begun', kind: 'against' },
  { code: 'further_license_missing', kind: 'against' },
  { code: 'license_expired', kind: 'against' },
  { code: 'home_state_license_not_active', kind: 'against' },
  { code: 'license_class_wrong', kind: 'against' },
  { code: 'line_missing', kind: 'against' },
  { code: 'appointment_missing', kind: 'against' },
  { code: 'appointment_ended', kind: 'against' },
  { code: 'terminated_for_cause', kind: 'against' },
  { code: 'authority_missing', kind: 'against' },
  { code: 'seller_archived', kind: 'against' },
  { code: 'association_not_active', kind: 'against' },
  { code: 'not_associated', kind: 'against' },
  { code: 'license_unknown', kind: 'not known' },
  { code: 'regulatory_action_in_force', kind: 'not known' },
  { code: 'class_unrecognized', kind: 'not known' },
  { code: 'status_unrecognized', kind: 'not known' },
  { code: 'row_not_understood', kind: 'not known' },
  { code: 'appointment_unknown', kind: 'not known' },
  { code: 'company_unknown', kind: 'not known' },
  { code: 'npn_missing', kind: 'not known' },
  { code: 'npn_not_found', kind: 'not known' },
  { code: 'not_verified', kind: 'not known' },
  { code: 'seller_unknown', kind: 'not known' },
  { code: 'seller_not_named', kind: 'not known' },
  { code: 'agency_unknown', kind: 'not known' },
  { code: 'product_unknown', kind: 'not known' },
  { code: 'ambiguous', kind: 'not known' },
] as const;

export type ReasonCode = (typeof reasonList)[number]['code'];
export type ReasonKind = (typeof reasonKinds)[number];

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
  /** Of lines and appointments: the entries of the requirement that nothing meets. */
  readonly lines?: readonly LineRequirement[];
  /** Of what ended or has not begun: its last or its first day. */
  readonly day?: CalendarDate;
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

export interface Warning {
  readonly party: ReasonParty;
  readonly code: (typeof warningCodes)[number];
  readonly message: string;
}
