import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { objectId, stateCode } from '../contract/primitives.ts';
import { productName } from './compliance.ts';
import { npn } from './npn.ts';

export const actionTypes = [
  'open escalation',
  'license expiring',
  'license expired',
  'missing appointment',
] as const;

const pointer = (what: string) =>
  described(
    z.nullable(objectId),
    DOCUMENTED && {
      description: `${what}; null when the action concerns something else.`,
    },
  );

/** Something that an agency has to do. It is derived from other records and disappears when they show that it is done. */
export const actionRequired = described(
  z.object({
    _id: objectId,
    type: z.enum(actionTypes),
    title: described(
      z.string(),
      DOCUMENTED && {
        description: 'The action in words, for people; the wording may change.',
        examples: ['Renew license 1456789 in TX by 2026-12-31.'],
      },
    ),
    downstreamEntityId: described(
      z.nullable(objectId),
      DOCUMENTED && {
        description: 'The entity that the action concerns; null for a producer’s license.',
      },
    ),
    stateCode,
    dueDate: described(
      z.nullable(z.iso.date()),
      DOCUMENTED && {
        description: 'Renewal date of the license; null when there is no due date.',
        examples: ['2026-12-31'],
      },
    ),
    npn: described(
      z.nullable(npn),
      DOCUMENTED && {
        description: 'NPN of the holder of the license or appointment.',
        examples: ['17654321'],
      },
    ),
    licenseNumber: described(
      z.nullable(z.string()),
      DOCUMENTED && {
        description: 'The license to renew.',
        examples: ['1456789'],
      },
    ),
    filingId: pointer('The filing that waits for a reply'),
    upstreamDownstreamAssociationId: pointer('The market that lacks the appointment'),
    products: described(
      z.array(z.object({ productId: objectId, productName })),
      DOCUMENTED && { description: 'The carrier’s products that require the appointment.' },
    ),
  }),
  DOCUMENTED && {
    id: 'ActionRequired',
    description:
      'Something that the organization has to do: reply to an escalation, renew a license, or obtain an appointment. It disappears when the underlying records change.',
    examples: [
      {
        _id: '65f0c1d2e3a4b5c6d7e8f922',
        type: 'license expiring',
        title: 'Renew license 1456789 in TX by 2026-12-31.',
        downstreamEntityId: '65f0c1d2e3a4b5c6d7e8f906',
        stateCode: 'TX',
        dueDate: '2026-12-31',
        npn: '17654321',
        licenseNumber: '1456789',
        filingId: null,
        upstreamDownstreamAssociationId: null,
        products: [],
      },
    ],
  },
);

export type ActionRequired = z.output<typeof actionRequired>;
