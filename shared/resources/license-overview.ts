import * as z from 'zod/mini';
import { type Documentation, described } from '../contract/described.ts';
import { stateCode } from '../contract/primitives.ts';

/** Days before its renewal date from which a license counts as expiring (OpenAPI, "getLicenseOverview"). */
export const expiringWindowDays = 60;

/** The renewal status of a license on a day, the most urgent first. */
export const renewalStatuses = ['expired', 'expiring', 'active', 'inactive'] as const;

export type RenewalStatus = (typeof renewalStatuses)[number];

const count = (documentation: false | Documentation<number>) =>
  described(z.int().check(z.gte(0)), documentation);

const countsByStatus = {
  active: count(
    DOCUMENTED && {
      description: 'Licenses that are valid for more than 60 days, or have no renewal date.',
      examples: [3],
    },
  ),
  expiring: count(
    DOCUMENTED && {
      description: 'Active licenses whose renewal date is today or within 60 days.',
      examples: [3],
    },
  ),
  expired: count(
    DOCUMENTED && {
      description: 'Licenses whose renewal date has passed, however the registry reports them.',
      examples: [3],
    },
  ),
  inactive: count(
    DOCUMENTED && {
      description: 'Other licenses that the registry does not report as active.',
      examples: [3],
    },
  ),
};

/** All licenses of a list, by renewal status. */
export const licenseCounts = described(
  z.object({
    total: count(DOCUMENTED && { description: 'All licenses.', examples: [3] }),
    ...countsByStatus,
  }),
  DOCUMENTED && {
    id: 'LicenseCounts',
    description: 'Number of licenses by status across all states; the four add up to the total.',
    examples: [{ total: 9, active: 6, expiring: 1, expired: 1, inactive: 1 }],
  },
);

/** How an agency is licensed in one state. */
export const stateLicenseOverview = described(
  z.object({
    stateCode,
    status: described(
      z.enum(renewalStatuses),
      DOCUMENTED && {
        description:
          'The most urgent status of the state’s licenses; the values are listed from most to least urgent.',
        examples: ['expiring'],
      },
    ),
    licenses: count(DOCUMENTED && { description: 'Number of licenses in the state.', examples: [3] }),
    ...countsByStatus,
    nextRenewalDate: described(
      z.nullable(z.iso.date()),
      DOCUMENTED && {
        description: 'The earliest renewal date of a license that is not inactive.',
        examples: ['2027-03-31'],
      },
    ),
    daysLeft: described(
      z.nullable(z.int()),
      DOCUMENTED && {
        description: 'Days until `nextRenewalDate`, in New York; negative once it has passed.',
        examples: [41],
      },
    ),
    entities: count(
      DOCUMENTED && {
        description: 'Number of the organization’s entities with a current license in the state.',
        examples: [3],
      },
    ),
    producers: count(
      DOCUMENTED && {
        description: 'Number of the organization’s producers with a current license in the state.',
        examples: [3],
      },
    ),
  }),
  DOCUMENTED && {
    id: 'StateLicenseOverview',
    description: 'The licenses of the organization’s entities and producers in one state.',
    examples: [
      {
        stateCode: 'TX',
        status: 'expiring',
        licenses: 4,
        active: 3,
        expiring: 1,
        expired: 0,
        inactive: 0,
        nextRenewalDate: '2027-03-31',
        daysLeft: 41,
        entities: 1,
        producers: 3,
      },
    ],
  },
);

export type LicenseCounts = z.output<typeof licenseCounts>;
export type StateLicenseOverview = z.output<typeof stateLicenseOverview>;
