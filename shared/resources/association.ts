import * as z from 'zod/mini';
import { type Documentation, described } from '../contract/described.ts';
import { compiledObject } from '../contract/object.ts';
import { objectId, timestamp } from '../contract/primitives.ts';
import { downstreamEntity, exampleDownstreamEntity } from './downstream-entity.ts';
import { registryDataSubscription } from './registry-data-subscription.ts';

export const associationStatuses = ['invited', 'active', 'inactive'] as const;

/** A carrier's own name for an agency; unique within the carrier. */
export const associationCode = (documentation: false | Documentation<string>) =>
  described(
    z.string().check(z.minLength(1, 'must not be empty; null clears it'), z.maxLength(200)),
    documentation,
  );

export const externalId = associationCode(
  DOCUMENTED && { description: 'The carrier’s own id for the agency.', examples: ['AG-0042'] },
);
export const producerCode = associationCode(
  DOCUMENTED && { description: 'The agency’s code at the carrier.', examples: ['P-7731'] },
);

/** An agency relationship of a carrier. */
export const association = described(
  compiledObject({
    _id: objectId,
    downstreamEntity,
    registryDataSubscription: z.nullable(registryDataSubscription),
    externalId: z.nullable(externalId),
    producerCode: z.nullable(producerCode),
    branchName: z.nullable(z.string()),
    parentDownstreamEntityAssociationId: z.nullable(objectId),
    status: z.enum(associationStatuses),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
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
