// A Texas license and appointment of Beacon Specialty's producer, as a report of the registry has them.

import { recordReport, withAddition } from '#domain/decision/record.ts';
import {
  type AppointmentRow as Appointment,
  type HolderRecords,
  type LicenseRow as License,
  noRecords,
  type RowsOfKinds,
  type SaleDay,
} from '#domain/decision/records.ts';
import { lineOf } from './sample-records.ts';

export const today = '2026-06-15';

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

/** What one report of the registry with these rows records, all known since June 2025. */
export function recordsOfRows(
  licenses: readonly License[],
  appointments: readonly Appointment[],
): HolderRecords {
  const at = '2025-06-01T12:00:00.000Z';
  const rows = { license: licenses, appointment: appointments };
  const report = { id: at, at, recordedAt: at, isFound: true, rows };
  return withAddition<RowsOfKinds, SaleDay>(
    noRecords,
    recordReport<License | Appointment>(noRecords, report),
  );
}
