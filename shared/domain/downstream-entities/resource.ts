import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { objectId } from '../../platform/contract/primitives.ts';
import { npn } from '../identifiers/npn.ts';

export const downstreamEntityCategories = [
  'agency',
  'agency network',
  'wholesale brokerage',
  'third party administrator',
] as const;

export const downstreamEntityCategory = described(
  z.enum(downstreamEntityCategories),
  DOCUMENTED && {
    description: 'Kind of agency.',
    values: {
      agency: 'Sells insurance to customers.',
      'agency network': 'Gives a group of agencies common access to carriers.',
      'wholesale brokerage': 'Places business with carriers for other agencies.',
      'third party administrator': 'Administers policies or claims for carriers.',
    },
    examples: ['agency'],
  },
);

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
  lazyObject(() =>
    describedShape(
      {
        _id: objectId,
        legalName: z.string().check(z.minLength(1), z.maxLength(300)),
        category: downstreamEntityCategory,
        npn: z.nullable(npn),
        ein: z.nullable(z.string()),
        isNpnRequired: z.boolean(),
      },
      DOCUMENTED && {
        _id: 'Id of the agency or branch, `downstreamEntityId` elsewhere.',
        legalName: {
          description: 'Name under which the agency is registered.',
          examples: ['Lone Star Brokerage'],
        },
        npn: {
          description: 'National Producer Number of the agency; null until it has provided one.',
          examples: ['17654321'],
        },
        ein: {
          description:
            'Employer Identification Number, with or without the hyphen. Null if it is not known, and for a carrier while its association is `invited`.',
          examples: ['75-7654321'],
        },
        isNpnRequired: 'Whether the agency must have an NPN. An agency without one has no registry records.',
      },
    ),
  ),
  DOCUMENTED && { id: 'DownstreamEntity', description: 'An agency.' },
);

export type DownstreamEntity = z.output<typeof downstreamEntity>;
