import * as z from 'zod/mini';
import { fields, object, without } from '../../platform/contract/object.ts';
import {
  amount,
  isoDate,
  objectId,
  stateCode,
  textUpTo,
  timestamp,
} from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { npn } from '../identifiers/npn.ts';

export const residencyStatuses = ['resident', 'non-resident'] as const;

/** Whether the holder of a license has the continuing education that a line requires. */
export const ceCompliance = z.enum(['exempt', 'in compliance', 'not in compliance', 'not applicable']);

const text = z.nullable(z.string());
const date = z.nullable(isoDate);

/** A line of authority that a license carries. */
export const lineOfAuthority = object(() => ({
  code: z.string(),
  name: z.string(),
  status: z.string(),
  issueDate: date,
  statusDate: date,
  statusReason: text,
  ceCompliance: z.nullable(ceCompliance),
  ceCreditsNeeded: z.nullable(amount),
  ceRenewalDate: date,
}));

/** A line as v1 has it. */
export const lineOfAuthorityV1 = without(
  lineOfAuthority,
  'issueDate',
  'statusDate',
  'statusReason',
  'ceCompliance',
  'ceCreditsNeeded',
  'ceRenewalDate',
);

/** Identifies a license and its holder; licenses and the events about them have these fields. */
export const licenseIdentity = fields(() => ({
  registryDataSubscriptionId: objectId,
  npn,
  stateCode,
  licenseNumber: textUpTo(100),
  licenseClassCode: text,
  licenseClassName: text,
  status: z.string().check(z.minLength(1)),
  residencyStatus: z.enum(residencyStatuses),
}));

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
export const license = storedItem(
  'registry-records/license',
  object(() => ({
    ...licenseIdentity.shape,
    issueDate: date,
    nextRenewalDate: date,
    expirationDate: date,
    statusReason: text,
    statusDate: date,
    linesOfAuthority: z.array(lineOfAuthority),
    updatedAt: timestamp,
  })),
);

export type License = z.output<typeof license>;

/** A license as v1 has it. */
export const licenseV1 = object(() => ({
  ...without(license, 'statusReason', 'statusDate').shape,
  linesOfAuthority: z.array(lineOfAuthorityV1),
}));
