import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { count, stateCode } from '../../platform/contract/primitives.ts';
import { renewalStatuses } from '../decision/renewal.ts';

export const countsByStatus = fields(() => ({
  active: count,
  expiring: count,
  expired: count,
  inactive: count,
}));

/** All licenses of a list, by renewal status. */
export const licenseCounts = object(() => ({ total: count, ...countsByStatus.shape }));

/** How an agency is licensed in one state. */
export const stateLicenseOverview = object(() => ({
  stateCode,
  status: z.enum(renewalStatuses),
  licenses: count,
  ...countsByStatus.shape,
  nextRenewalDate: z.nullable(z.iso.date()),
  daysLeft: z.nullable(z.int()),
  entities: count,
  producers: count,
}));

export type LicenseCounts = z.output<typeof licenseCounts>;

export type StateLicenseOverview = z.output<typeof stateLicenseOverview>;
