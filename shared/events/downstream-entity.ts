import * as z from 'zod/mini';
import { objectId } from '../contract/primitives.ts';
import { associationStatuses } from '../resources/association.ts';
import { downstreamEntity } from '../resources/downstream-entity.ts';

const text = z.nullable(z.string());

const entity = (id: string, description: string) =>
  z
    .object({
      downstreamEntityAssociationId: objectId,
      downstreamEntity,
      externalId: text,
      producerCode: text,
      branchName: text,
      status: z.enum(associationStatuses),
    })
    .register(z.globalRegistry, {
      id,
      description,
      examples: [
        {
          downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
          downstreamEntity: {
            _id: '65f0c1d2e3a4b5c6d7e8f906',
            legalName: 'Lone Star Brokerage',
            category: 'agency',
            npn: '17654321',
            ein: null,
            isNpnRequired: true,
          },
          externalId: 'AG-0042',
          producerCode: 'P-7731',
          branchName: null,
          status: 'active',
        },
      ],
    });

/** Payload of `DOWNSTREAM_ENTITY_CREATED`. */
export const downstreamEntityCreated = entity(
  'DownstreamEntityCreated',
  'An association with an agency was added.',
);

/** Payload of `DOWNSTREAM_ENTITY_UPDATED`. */
export const downstreamEntityUpdated = entity(
  'DownstreamEntityUpdated',
  'An association with an agency changed.',
);
