import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { objectId, stateCode } from '../../platform/contract/primitives.ts';
import { productName } from '../compliance/resource.ts';
import { productId } from '../identifiers/ids.ts';
import { npn } from '../identifiers/npn.ts';

export const actionTypes = [
  'open escalation',
  'license expiring',
  'license expired',
  'missing appointment',
] as const;

const pointer = z.nullable(objectId);

/** Something that an agency has to do. It is derived from other records and disappears when they show that it is done. */
export const actionRequired = described(
  lazyObject(() =>
    describedShape(
      {
        _id: objectId,
        type: z.enum(actionTypes),
        title: z.string(),
        downstreamEntityId: pointer,
        stateCode,
        dueDate: z.nullable(z.iso.date()),
        npn: z.nullable(npn),
        licenseNumber: z.nullable(z.string()),
        filingId: pointer,
        upstreamDownstreamAssociationId: pointer,
        products: z.array(z.object({ productId, productName })),
      },
      DOCUMENTED && {
        _id: 'Id of the action, which stays the same until it is done; no operation takes it.',
        type: {
          description: 'What there is to do.',
          values: {
            'open escalation': 'A question about a filing waits for a reply.',
            'license expiring': 'A license is due for renewal within 60 days.',
            'license expired': 'A license has expired.',
            'missing appointment': 'A market requires an appointment that the entity does not have.',
          },
        },
        title: {
          description: 'The action in words, for people; the wording may change.',
          examples: ['Renew license 1456789 in TX by 2026-12-31.'],
        },
        downstreamEntityId: 'Id of the entity that the action concerns; null for a producer’s license.',
        stateCode: 'State of the filing, license, or appointment.',
        dueDate: {
          description: 'Renewal date of the license, in New York; null for the other types.',
          examples: ['2026-12-31'],
        },
        npn: {
          description: 'NPN of the holder of the license or appointment; null for an escalation.',
          examples: ['17654321'],
        },
        licenseNumber: {
          description: 'Number of the license to renew; null for the other types.',
          examples: ['1456789'],
        },
        filingId: 'Id of the filing that waits for a reply; null for the other types.',
        upstreamDownstreamAssociationId:
          'Id of the market that requires the appointment; null for the other types.',
        products: 'The carrier’s products that require the appointment; empty for the other types.',
      },
    ),
  ),
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
