import * as z from 'zod/mini';
import { type Documentation, described, describedShape } from '../../platform/contract/described.ts';
import { compiledObject } from '../../platform/contract/object.ts';
import { objectId, recordTimes } from '../../platform/contract/primitives.ts';
import { downstreamEntity, exampleDownstreamEntity } from '../downstream-entities/resource.ts';
import { registryDataSubscription } from '../registry-records/registry-data-subscription.ts';

export const associationStatuses = ['invited', 'active', 'inactive'] as const;

export const associationStatus = described(
  z.enum(associationStatuses),
  DOCUMENTED && {
    description: 'Whether the carrier and the agency work together.',
    values: {
      invited:
        'The agency has not agreed yet, for example by redeeming the invitation or signing a contract.',
      active: 'The carrier and the agency work together.',
      inactive: 'They no longer do; an operator sets this.',
    },
  },
);

/** A carrier's own name for an agency; unique within the carrier. */
export const associationCode = (documentation: false | Documentation<string>) =>
  described(
    z.string().check(z.minLength(1, 'must not be empty; null clears it'), z.maxLength(200)),
    documentation,
  );

export const externalId = associationCode(
  DOCUMENTED && {
    description: 'The carrier’s own id for the agency, unique among its associations.',
    examples: ['AG-0042'],
  },
);
export const producerCode = associationCode(
  DOCUMENTED && {
    description: 'The agency’s code at the carrier, unique among the carrier’s associations.',
    examples: ['P-7731'],
  },
);

/** An agency relationship of a carrier. */
export const association = described(
  compiledObject(() => ({
    ...describedShape(
      {
        _id: objectId,
        downstreamEntity,
        registryDataSubscription: z.nullable(registryDataSubscription),
        externalId: z.nullable(externalId),
        producerCode: z.nullable(producerCode),
        branchName: z.nullable(z.string()),
        parentDownstreamEntityAssociationId: z.nullable(objectId),
        status: associationStatus,
      },
      DOCUMENTED && {
        _id: 'Id of the association, `downstreamEntityAssociationId` elsewhere; the agency sees it as `upstreamDownstreamAssociationId`.',
        downstreamEntity: 'The agency or branch on the other side of the relationship.',
        registryDataSubscription:
          'The organization’s subscription to the registry records of the agency’s NPN; null if it has none.',
        externalId: 'The organization’s own id for the agency; null if it has not set one.',
        producerCode: 'The agency’s code at the organization; null if it has not set one.',
        branchName: {
          description: 'The branch that the association is with; null if it is with the whole agency.',
          examples: ['Austin'],
        },
        parentDownstreamEntityAssociationId:
          'Id of the organization’s association with the parent of the agency; null if it has none.',
      },
    ),
    ...recordTimes(),
  })),
  DOCUMENTED && {
    id: 'DownstreamEntityAssociation',
    description: 'The organization’s relationship with an agency.',
    examples: [
      {
        _id: '65f0c1d2e3a4b5c6d7e8f904',
        downstreamEntity: exampleDownstreamEntity,
        registryDataSubscription: null,
        externalId: 'AG-0042',
        producerCode: null,
        branchName: null,
        parentDownstreamEntityAssociationId: null,
        status: 'active',
        createdAt: '2026-03-01T14:05:09.123Z',
        updatedAt: '2026-03-01T14:05:09.123Z',
      },
    ],
  },
);

export type Association = z.output<typeof association>;
