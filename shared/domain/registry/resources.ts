import * as z from 'zod/mini';
import {
  amount,
  isoDate,
  objectId,
  recordTimes,
  stateCode,
  textUpTo,
  timestamp,
  usd,
} from '#platform/contract/primitives.ts';
import { sinceV2 } from '#platform/contract/v1.ts';
import { storedItem } from '#platform/data/stored.ts';
import { npn } from '../identifiers/identifiers.ts';

const residencyStatuses = ['resident', 'non-resident'] as const;

/** Whether the holder of a license has the continuing education that a line requires. */
export const ceCompliance = z.enum(['exempt', 'in compliance', 'not in compliance', 'not applicable']);

/** A text that may not be known. */
export const text = z.nullable(z.string());
const date = z.nullable(isoDate);

/** A line of authority that a license carries. */
export const lineOfAuthority = z.object({
  code: z.string(),
  name: z.string(),
  status: z.string(),
  issueDate: sinceV2(date),
  statusDate: sinceV2(date),
  statusReason: sinceV2(text),
  ceCompliance: sinceV2(z.nullable(ceCompliance)),
  ceCreditsNeeded: sinceV2(z.nullable(amount)),
  ceRenewalDate: sinceV2(date),
});

/** Identifies a license and its holder; licenses and the events about them have these fields. */
export const licenseIdentity = z.object({
  registryDataSubscriptionId: objectId,
  npn,
  stateCode,
  licenseNumber: textUpTo(100),
  licenseClassCode: text,
  licenseClassName: text,
  status: z.string().check(z.minLength(1)),
  residencyStatus: z.enum(residencyStatuses),
});

/** The license of the documentation's examples, and of test events. */
export const exampleLicense = {
  registryDataSubscriptionId: '65f0c1d2e3a4b5c6d7e8f910',
  npn: '17654321',
  stateCode: 'TX',
  licenseNumber: '1456789',
  licenseClassCode: '1',
  licenseClassName: 'Property and Casualty Agency',
  status: 'active',
  residencyStatus: 'resident',
  issueDate: '2019-04-01',
  nextRenewalDate: '2027-03-31',
  expirationDate: '2027-03-31',
  statusReason: null,
  statusDate: null,
  linesOfAuthority: [
    {
      code: '16',
      name: 'Casualty',
      status: 'active',
      issueDate: '2019-04-01',
      statusDate: null,
      statusReason: null,
      ceCompliance: 'in compliance',
      ceCreditsNeeded: 0,
      ceRenewalDate: '2027-03-31',
    },
  ],
  updatedAt: '2026-06-01T09:00:00.000Z',
} as const;

/** A license as the registry reports it. Dates are ISO 8601. */
export const license = storedItem('registry-records/license', {
  ...licenseIdentity.shape,
  issueDate: date,
  nextRenewalDate: date,
  expirationDate: date,
  statusReason: sinceV2(text),
  statusDate: sinceV2(date),
  linesOfAuthority: z.array(lineOfAuthority),
  updatedAt: timestamp,
});

export type License = z.output<typeof license>;

/** A license as lists show it: by the row that says what it is on the day that is asked about. */
export const heldLicense = z.object({ ...license.shape, isInForce: sinceV2(z.boolean()) });

export type HeldLicense = z.output<typeof heldLicense>;

/** The appointment of the documentation's examples. */
export const exampleAppointment = {
  registryDataSubscriptionId: '65f0c1d2e3a4b5c6d7e8f910',
  stateCode: 'TX',
  carrierName: 'Beacon Specialty Insurance Company',
  ein: '75-1234567',
  companyCode: '19437',
  lineOfAuthorityName: 'Casualty',
  lineOfAuthorityCode: '16',
  status: 'active',
  npn: '17654321',
  terminationReason: null,
  statusChangeDate: '2024-04-01',
  renewalDate: '2027-03-31',
  appointerStateCoId: '94370',
  countyName: null,
  effectiveDate: '2024-04-01',
  countyCode: null,
  updatedAt: '2026-06-01T09:00:00.000Z',
} as const;

/** An appointment as the registry reports it. Dates are ISO 8601. */
export const appointment = storedItem('registry-records/appointment', {
  registryDataSubscriptionId: objectId,
  stateCode,
  carrierName: text,
  ein: text,
  companyCode: text,
  lineOfAuthorityName: text,
  lineOfAuthorityCode: text,
  status: z.string().check(z.minLength(1)),
  npn,
  terminationReason: text,
  statusChangeDate: z.nullable(isoDate),
  renewalDate: z.nullable(isoDate),
  appointerStateCoId: text,
  countyName: text,
  effectiveDate: sinceV2(z.nullable(isoDate)),
  countyCode: sinceV2(text),
  updatedAt: timestamp,
});

export type Appointment = z.output<typeof appointment>;

/** An appointment as lists show it, likewise. */
export const heldAppointment = z.object({ ...appointment.shape, isInForce: sinceV2(z.boolean()) });

export type HeldAppointment = z.output<typeof heldAppointment>;

/** Filters of licenses and of appointments; they combine. */
export const registryFilters = z.object({
  stateCode: z.optional(stateCode),
  /** Status as it is written in the row that is shown. */
  status: z.optional(textUpTo(100)),
});

export type RegistryFilters = z.output<typeof registryFilters>;

/** Members of a license or an appointment by which it is filtered. */
export type FilteredRow = Pick<License | Appointment, 'stateCode' | 'status'>;

/** Whether a license or an appointment meets all filters: the one place where they are compared; a filter that is not here does not compile. */
export function meetsFilters(
  row: FilteredRow,
  filters: { readonly [Name in keyof RegistryFilters]: string | undefined },
): boolean {
  const isMet: Record<keyof RegistryFilters, boolean> = {
    stateCode: (filters.stateCode ?? row.stateCode) === row.stateCode,
    status: (filters.status ?? row.status) === row.status,
  };
  return Object.values(isMet).every(Boolean);
}

/** The nine fields that a state may amend after it reported an action. */
export const amendableFields = z.object({
  originOfAction: text,
  reasonForAction: text,
  disposition: text,
  dateOfAction: date,
  effectiveDate: date,
  enterDate: date,
  fileRef: text,
  penaltyFineForfeitureInUSD: z.nullable(usd),
  lengthOfOrderInDays: z.nullable(amount),
});

export const amendableFieldNames = Object.keys(
  amendableFields.shape,
) as (keyof typeof amendableFields.shape)[];

/** Identifies an action and the license holder; actions and the events about them have these fields. */
export const actionIdentity = z.object({
  _id: objectId,
  registryDataSubscriptionId: objectId,
  npn,
  stateCode,
  actionId: textUpTo(100),
});

/** The action of the documentation's examples, and of test events. */
export const exampleRegulatoryAction = {
  _id: '65f0c1d2e3a4b5c6d7e8f911',
  registryDataSubscriptionId: '65f0c1d2e3a4b5c6d7e8f910',
  npn: '17654321',
  stateCode: 'TX',
  actionId: '4471',
  originOfAction: 'Department of Insurance',
  reasonForAction: 'Late filing',
  disposition: 'Monetary penalty',
  dateOfAction: '2025-05-02',
  effectiveDate: '2025-05-02',
  enterDate: '2025-05-09',
  fileRef: 'TX-2025-4471',
  penaltyFineForfeitureInUSD: 500,
  lengthOfOrderInDays: null,
  createdAt: '2026-06-01T09:00:00.000Z',
  updatedAt: '2026-06-01T09:00:00.000Z',
} as const;

/** A state's action against a license holder. */
export const regulatoryAction = storedItem('registry-records/action', {
  ...actionIdentity.shape,
  ...amendableFields.shape,
  ...recordTimes.shape,
});

export type RegulatoryAction = z.output<typeof regulatoryAction>;

/** What the registry knows of one NPN. */
export const npnLookup = z.object({
  npn: z.string(),
  result: z.enum(['firm', 'individual', 'not found']),
  name: z.nullable(z.string()),
});
