import * as z from 'zod/mini';
import { objectId, recordTimes, textUpTo } from '#platform/contract/primitives.ts';
import { npn } from '../identifiers/identifiers.ts';

const downstreamEntityCategories = [
  'agency',
  'agency network',
  'wholesale brokerage',
  'third party administrator',
] as const;

export const downstreamEntityCategory = z.enum(downstreamEntityCategories);

const associationStatuses = ['invited', 'active', 'inactive'] as const;

/** Whether a carrier and an agency work together. */
export const associationStatus = z.enum(associationStatuses);

/** The agency of the documentation's examples, and of test events. */
export const exampleDownstreamEntity = {
  _id: '65f0c1d2e3a4b5c6d7e8f906',
  legalName: 'Lone Star Brokerage',
  category: 'agency',
  npn: '17654321',
  ein: null,
  isNpnRequired: true,
} as const;

/** An agency as its associations show it. */
export const downstreamEntity = z.object({
  _id: objectId,
  legalName: textUpTo(300),
  category: downstreamEntityCategory,
  npn: z.nullable(npn),
  ein: z.nullable(z.string()),
  isNpnRequired: z.boolean(),
});

export type DownstreamEntity = z.output<typeof downstreamEntity>;

/** An agency's own entity. */
export const agencyEntity = z.object({ ...downstreamEntity.shape, ...recordTimes.shape });

export type AgencyEntity = z.output<typeof agencyEntity>;
