import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { stateCode } from '../../platform/contract/primitives.ts';
import { renewalStatuses } from '../decision/renewal.ts';

const count = z.int().check(z.gte(0));

const countsByStatus = lazily(() =>
  describedShape(
    { active: count, expiring: count, expired: count, inactive: count },
    DOCUMENTED && {
      active: {
        description: 'Licenses in force that end in more than 60 days, or never.',
        examples: [3],
      },
      expiring: {
        description: 'Licenses in force that end today or within 60 days.',
        examples: [1],
      },
      expired: {
        description:
          'Licenses whose end has passed, however the registry reports them, and whose next term, if one was issued, has not begun.',
        examples: [0],
      },
      inactive: {
        description:
          'Other licenses: those that the registry does not report as active, or that have not begun.',
        examples: [0],
      },
    },
  ),
);

/** All licenses of a list, by renewal status. */
export const licenseCounts = described(
  lazyObject(() => ({
    ...describedShape(
      { total: count },
      DOCUMENTED && {
        total: { description: 'Number of licenses in all states, whatever their status.', examples: [4] },
      },
    ),
    ...countsByStatus(),
  })),
  DOCUMENTED && {
    id: 'LicenseCounts',
    description: 'Number of licenses by status across all states; the four add up to the total.',
    examples: [{ total: 9, active: 6, expiring: 1, expired: 1, inactive: 1 }],
  },
);

/** How an agency is licensed in one state. */
export const stateLicenseOverview = described(
  lazyObject(() => ({
    ...describedShape(
      { stateCode, status: z.enum(renewalStatuses), licenses: count },
      DOCUMENTED && {
        stateCode: 'State that issued the licenses.',
        status: {
          description: 'The most urgent status of the state’s licenses, from most to least urgent:',
          values: {
            expired: 'The end of a license has passed.',
            expiring: 'A license must be renewed today or within 60 days.',
            active: 'All licenses in force are valid for longer.',
            inactive: 'No license is in force, and none has expired.',
          },
          examples: ['expiring'],
        },
        licenses: { description: 'Number of licenses in the state, whatever their status.', examples: [4] },
      },
    ),
    ...countsByStatus(),
    ...describedShape(
      {
        nextRenewalDate: z.nullable(z.iso.date()),
        daysLeft: z.nullable(z.int()),
        entities: count,
        producers: count,
      },
      DOCUMENTED && {
        nextRenewalDate: {
          description: 'The earliest end of a license that is not inactive; null if none has one.',
          examples: ['2027-03-31'],
        },
        daysLeft: {
          description:
            'Days until `nextRenewalDate`, in New York; negative once it has passed, null if there is none.',
          examples: [41],
        },
        entities: {
          description: 'Number of the organization’s entities with a current license in the state.',
          examples: [1],
        },
        producers: {
          description: 'Number of the organization’s producers with a current license in the state.',
          examples: [3],
        },
      },
    ),
  })),
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
