import * as z from 'zod/mini';
import { objectId } from '../contract/primitives.ts';
import { npn } from './npn.ts';

export const downstreamEntityCategories = [
  'agency',
  'agency network',
  'wholesale brokerage',
  'third party administrator',
] as const;

/** An agency as its associations show it. */
export const downstreamEntity = z
  .object({
    _id: objectId,
    legalName: z.string().check(z.minLength(1), z.maxLength(300)),
    category: z.enum(downstreamEntityCategories),
    npn: z
      .nullable(npn)
      .register(z.globalRegistry, { description: 'National Producer Number.', examples: ['17654321'] }),
    ein: z.nullable(z.string()),
    isNpnRequired: z.boolean(),
  })
  .register(z.globalRegistry, { id: 'DownstreamEntity', description: 'An agency.' });

export type DownstreamEntity = z.output<typeof downstreamEntity>;
