import * as z from 'zod/mini';
import { stateCode } from '../contract/primitives.ts';

/** Days before its renewal date from which a licence counts as expiring (OpenAPI, "getLicenseOverview"). */
export const expiringWindowDays = 60;

/** How a licence stands on a day, the least pressing last. */
export const licenceStandings = ['expired', 'expiring', 'active', 'inactive'] as const;

export type LicenceStanding = (typeof licenceStandings)[number];

const count = (description: string) =>
  z
    .int()
    .check(z.gte(0))
    .register(z.globalRegistry, { description, examples: [3] });

const countsByStanding = {
  active: count('Licenses that are valid for more than 60 days, or have no renewal date.'),
  expiring: count('Active licenses whose renewal date is today or within 60 days.'),
  expired: count('Licenses whose renewal date has passed, although the registry may still call them active.'),
  inactive: count('Licenses that the registry does not call active.'),
};

/** All licences of a list, by standing. */
export const licenceCounts = z
  .object({ total: count('All licenses.'), ...countsByStanding })
  .register(z.globalRegistry, {
    id: 'LicenseCounts',
    description: 'Licenses by status, over all states; the four add up to the total.',
    examples: [{ total: 9, active: 6, expiring: 1, expired: 1, inactive: 1 }],
  });

/** How an agency is licensed in one state. */
export const stateLicenceOverview = z
  .object({
    stateCode,
    status: z.enum(licenceStandings).register(z.globalRegistry, {
      description: 'The most urgent status of the state’s licenses, in this order.',
      examples: ['expiring'],
    }),
    licenses: count('Licenses in the state.'),
    ...countsByStanding,
    nextRenewalDate: z.nullable(z.iso.date()).register(z.globalRegistry, {
      description: 'The earliest renewal date of a license that is not inactive.',
      examples: ['2027-03-31'],
    }),
    daysLeft: z.nullable(z.int()).register(z.globalRegistry, {
      description: 'Days until that date, in New York; negative once it is past.',
      examples: [41],
    }),
    entities: count('Entities of the organization that hold a current license in the state.'),
    producers: count('Producers of the organization that hold a current license in the state.'),
  })
  .register(z.globalRegistry, {
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
  });

export type LicenceCounts = z.output<typeof licenceCounts>;
export type StateLicenceOverview = z.output<typeof stateLicenceOverview>;
