import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { isoDate, objectId, stateCode, timestamp } from '../contract/primitives.ts';
import { npn } from './npn.ts';

export const residencyStatuses = ['resident', 'non-resident'] as const;

/** A line of authority that a license carries. */
export const lineOfAuthority = z.object({
  code: described(z.string(), DOCUMENTED && { examples: ['16'] }),
  name: described(z.string(), DOCUMENTED && { examples: ['Casualty'] }),
  status: described(
    z.string(),
    DOCUMENTED && { description: 'Status as spelled by the registry.', examples: ['active'] },
  ),
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
  linesOfAuthority: [{ code: '16', name: 'Casualty', status: 'active' }],
  updatedAt: '2026-06-01T09:00:00.000Z',
} as const;

/** A license as the registry reports it. Dates are ISO 8601. */
export const license = described(
  compiledObject({
    registryDataSubscriptionId: objectId,
    npn,
    stateCode,
    licenseNumber: z.string().check(z.minLength(1), z.maxLength(100)),
    licenseClassCode: z.nullable(z.string()),
    licenseClassName: z.nullable(z.string()),
    status: described(
      z.string().check(z.minLength(1)),
      DOCUMENTED && {
        description:
          'Status as spelled by the registry. An expired license is usually still `active`: use the renewal date.',
        examples: ['active'],
      },
    ),
    residencyStatus: z.enum(residencyStatuses),
    issueDate: z.nullable(isoDate),
    nextRenewalDate: described(
      z.nullable(isoDate),
      DOCUMENTED && {
        description:
          'Last day on which the license is valid unless it is renewed; a calendar date in America/New_York, where a time counts as its date there.',
        examples: ['2027-03-31'],
      },
    ),
    expirationDate: z.nullable(isoDate),
    linesOfAuthority: z.array(lineOfAuthority),
    updatedAt: timestamp,
  }),
  DOCUMENTED && {
    id: 'License',
    description: 'A license as the registry reports it.',
    examples: [exampleLicense],
  },
);

export type License = z.output<typeof license>;
