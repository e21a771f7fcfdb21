import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { objectId } from '../contract/primitives.ts';
import { npn } from './npn.ts';

export const downstreamEntityCategories = [
  'agency',
  'agency network',
  'wholesale brokerage',
  'third party administrator',
] as const;

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
export const downstreamEntity = described(
  z.object({
    _id: objectId,
    legalName: z.string().check(z.minLength(1), z.maxLength(300)),
    category: z.enum(downstreamEntityCategories),
    npn: described(
      z.nullable(npn),
      DOCUMENTED && { description: 'National Producer Number.', examples: ['17654321'] },
    ),
    ein: z.nullable(z.string()),
    isNpnRequired: z.boolean(),
  }),
  DOCUMENTED && { id: 'DownstreamEntity', description: 'An agency.' },
);

export type DownstreamEntity = z.output<typeof downstreamEntity>;
