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
