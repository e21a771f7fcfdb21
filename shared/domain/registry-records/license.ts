import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { isoDate, stateCode, timestamp } from '../../platform/contract/primitives.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { registryDataSubscriptionId } from '../identifiers/ids.ts';
import { npn } from '../identifiers/npn.ts';

export const residencyStatuses = ['resident', 'non-resident'] as const;

/** A line of authority that a license carries. */
export const lineOfAuthority = lazyObject(() =>
  describedShape(
    { code: z.string(), name: z.string(), status: z.string() },
    DOCUMENTED && {
      code: {
        description: 'The registry’s code of the line, which compliance configs require.',
        examples: ['16'],
      },
      name: { description: 'Name of the line, as spelled by the registry.', examples: ['Casualty'] },
      status: {
        description: 'Status as spelled by the registry. A line counts only if it is `active`, in any case.',
        examples: ['active'],
      },
    },
  ),
);

const text = z.nullable(z.string());
const date = z.nullable(isoDate);

/** Identifies a license and its holder; licenses and the events about them have these fields. */
export const licenseIdentity = lazily(() =>
  describedShape(
    {
      registryDataSubscriptionId,
      npn,
      stateCode,
      licenseNumber: z.string().check(z.minLength(1), z.maxLength(100)),
      licenseClassCode: text,
      licenseClassName: text,
      status: z.string().check(z.minLength(1)),
      residencyStatus: z.enum(residencyStatuses),
    },
    DOCUMENTED && {
      npn: 'NPN of the holder of the license, a person or an agency.',
      stateCode: 'State that issued the license.',
      licenseNumber: { description: 'Number that the state assigned to the license.', examples: ['1456789'] },
      licenseClassCode: {
        description: 'The registry’s code of the class of license; null if it is not reported.',
        examples: ['1'],
      },
      licenseClassName: {
        description: 'Class of the license, as spelled by the registry; null if it is not reported.',
        examples: ['Property and Casualty Agency'],
      },
      status: {
        description:
          'Status as spelled by the registry. An expired license is usually still `active`: use the renewal date.',
        examples: ['active'],
      },
      residencyStatus: {
        description: 'Whether the state is the holder’s home state. Both kinds count equally.',
        values: {
          resident: 'Issued by the holder’s home state.',
          'non-resident': 'Issued by another state.',
        },
      },
    },
  ),
);

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
  described(
    compiledObject(() => ({
      ...licenseIdentity(),
      ...describedShape(
        {
          issueDate: date,
          nextRenewalDate: date,
          expirationDate: date,
          linesOfAuthority: z.array(lineOfAuthority),
          updatedAt: timestamp,
        },
        DOCUMENTED && {
          issueDate: 'When the state issued the license; null if it is not reported.',
          nextRenewalDate: {
            description:
              'Last day on which the license is valid unless it is renewed; of a time, the calendar date that is written counts. Null for a license that does not expire.',
            examples: ['2027-03-31'],
          },
          expirationDate:
            'Date on which the license expires, according to the registry; null if it is not reported. Compliance goes by the earlier of this date and `nextRenewalDate`.',
          linesOfAuthority: 'Kinds of insurance that the license allows its holder to sell; may be empty.',
          updatedAt: 'When the record last changed here, not at the registry.',
        },
      ),
    })),
    DOCUMENTED && {
      id: 'License',
      description: 'A license as the registry reports it.',
      examples: [exampleLicense],
    },
  ),
);

export type License = z.output<typeof license>;
