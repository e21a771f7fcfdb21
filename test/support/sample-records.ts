// A Texas license and appointment as they are stored.
import { type Appointment, exampleLicense, type License } from '#domain/registry/resources.ts';

const { registryDataSubscriptionId, npn } = exampleLicense;

/** An active line of which no more is known. */
export const lineOf = (
  line: { readonly code: string } & Partial<License['linesOfAuthority'][number]>,
): License['linesOfAuthority'][number] => ({
  name: line.code,
  status: 'active',
  issueDate: null,
  statusDate: null,
  statusReason: null,
  ceCompliance: null,
  ceCreditsNeeded: null,
  ceRenewalDate: null,
  ...line,
});

export const sampleLicense = (fields: Partial<License> = {}): License => ({
  ...exampleLicense,
  nextRenewalDate: '2026-03-31',
  expirationDate: null,
  linesOfAuthority: [...exampleLicense.linesOfAuthority],
  updatedAt: '2025-06-01T09:00:00.000Z',
  ...(fields.nextRenewalDate === undefined ? {} : { expirationDate: fields.nextRenewalDate }),
  ...fields,
});

export const sampleAppointment = (fields: Partial<Appointment> = {}): Appointment => ({
  registryDataSubscriptionId,
  stateCode: 'TX',
  carrierName: 'Beacon Specialty Insurance Company',
  ein: '75-1234567',
  companyCode: '19437',
  lineOfAuthorityName: 'Casualty',
  lineOfAuthorityCode: '16',
  status: 'active',
  npn,
  terminationReason: null,
  statusChangeDate: '2024-04-01',
  renewalDate: '2027-03-31',
  appointerStateCoId: null,
  countyName: null,
  effectiveDate: null,
  countyCode: null,
  updatedAt: '2025-06-01T09:00:00.000Z',
  ...fields,
});
