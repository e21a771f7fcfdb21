import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { isoDate, objectId, stateCode, textUpTo, timestamp } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { npn } from '../identifiers/npn.ts';

export const residencyStatuses = ['resident', 'non-resident'] as const;

/** A line of authority that a license carries. */
export const lineOfAuthority = object(() => ({ code: z.string(), name: z.string(), status: z.string() }));

const text = z.nullable(z.string());
const date = z.nullable(isoDate);

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
  linesOfAuthority: [{ code: '16', name: 'Casualty', status: 'active' }],
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
    linesOfAuthority: z.array(lineOfAuthority),
    updatedAt: timestamp,
  })),
);

export type License = z.output<typeof license>;
