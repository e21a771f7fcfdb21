// What the tests of compliance statuses ask about: a Texas license and appointment of Beacon Specialty's producer.

import type { appointmentRequirements } from '../../shared/domain/compliance/resource.ts';
import { type ComplianceQuestion, complianceOf } from '../../shared/domain/compliance/status.ts';

export type License = ComplianceQuestion['licenses'][number];
export type Appointment = ComplianceQuestion['appointments'][number];

export const today = '2026-06-15';

export const config = (
  appointment: (typeof appointmentRequirements)[number],
  ...linesOfAuthority: string[]
) => ({
  states: [{ stateCode: 'TX' as const, linesOfAuthority, appointment }],
});

export const line = (code: string, status = 'active') => ({ code, name: code, status });

export const license = (fields: Partial<License> = {}): License => ({
  stateCode: 'TX',
  status: 'active',
  nextRenewalDate: '2027-03-31',
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
  terminationReason: null,
  renewalDate: null,
  ...fields,
});

export const carrier = { name: 'Beacon Specialty', naicCodes: ['19437'], eins: ['75-1234567'] };

export const ask = (fields: Partial<ComplianceQuestion>) =>
  complianceOf({
    config: config('required', '16'),
    stateCode: 'TX',
    licenses: [license()],
    appointments: [appointed()],
    carrier,
    today,
    ...fields,
  });
