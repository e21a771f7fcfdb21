// What the tests of compliance statuses ask about: a Texas license and appointment of Beacon Specialty's producer.

import { statusesOf } from '#domain/compliance/status.ts';
import type { CarrierIdentity } from '#domain/decision/carrier.ts';
import {
  type appointmentRequirements,
  type ComplianceConfig,
  unversioned,
} from '#domain/decision/compliance-config.ts';
import { coverageOf } from '#domain/decision/coverage.ts';
import { recordReport, withAddition } from '#domain/decision/record.ts';
import { type HolderRecords, noRecords } from '#domain/decision/records.ts';
import type { AppointmentRow as Appointment, LicenseRow as License } from '#domain/decision/rows.ts';
import { lineOf } from './sample-records.ts';

export type { Appointment, License };

export const today = '2026-06-15';

export const config = (
  appointment: (typeof appointmentRequirements)[number],
  ...linesOfAuthority: string[]
) => ({
  states: [{ stateCode: 'TX' as const, linesOfAuthority, appointment }],
});

export const line = (code: string, status = 'active') => lineOf({ code, status });

export const license = (fields: Partial<License> = {}): License => ({
  stateCode: 'TX',
  licenseNumber: '1456789',
  licenseClassCode: '1',
  licenseClassName: 'Producer',
  residencyStatus: 'resident',
  statusReason: null,
  statusDate: null,
  status: 'active',
  issueDate: '2019-04-01',
  nextRenewalDate: '2027-03-31',
  expirationDate: null,
  linesOfAuthority: [line('16'), line('17')],
  ...fields,
});

export const appointed = (fields: Partial<Appointment> = {}): Appointment => ({
  stateCode: 'TX',
  status: 'active',
  carrierName: null,
  companyCode: '19437',
  ein: null,
  lineOfAuthorityCode: '16',
  lineOfAuthorityName: null,
  terminationReason: null,
  statusChangeDate: '2024-04-01',
  renewalDate: null,
  countyName: null,
  effectiveDate: null,
  countyCode: null,
  ...fields,
});

export const carrier = { name: 'Beacon Specialty', naicCodes: ['19437'], eins: ['75-1234567'] };

interface Asked {
  readonly config: Pick<ComplianceConfig, 'states' | 'carrierNaicCodes'>;
  readonly stateCode: License['stateCode'];
  readonly licenses: readonly License[];
  readonly appointments: readonly Appointment[];
  readonly carrier: CarrierIdentity;
}

/** What one report of the registry with these rows records, all known since June 2025. */
export function recordsOfRows(
  licenses: readonly License[],
  appointments: readonly Appointment[],
): HolderRecords {
  const at = '2025-06-01T12:00:00.000Z';
  const report = { id: at, at, recordedAt: at, isFound: true, licenses, appointments };
  return withAddition<HolderRecords>(noRecords, recordReport<License, Appointment, never>(noRecords, report));
}

/** The answer for an agency on that day, of which one report says each license under a number of its own. */
export function ask(fields: Partial<Asked>) {
  const asked = { config: config('required', '16'), stateCode: 'TX', carrier, ...fields } as const;
  const { licenses = [license()], appointments = [appointed()] } = fields;
  const knownAt = `${today}T12:00:00.000Z`;
  const records = recordsOfRows(
    licenses.map((one, index) => ({ ...one, licenseNumber: String(index) })),
    appointments,
  );
  const { complianceStatus, licenseStatus, appointmentStatus } = statusesOf({
    party: 'agency',
    stateCode: asked.stateCode,
    day: today,
    knownAt,
    coverage: coverageOf(records, knownAt),
    configs: unversioned(asked.config),
    carrier: asked.carrier,
  }).status;
  return { complianceStatus, licenseStatus, appointmentStatus };
}
