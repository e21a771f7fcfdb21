import * as z from 'zod/mini';
import { association } from '../../../shared/domain/associations/resource.ts';
import { described } from '../../../shared/platform/contract/described.ts';
import { objectId } from '../../../shared/platform/contract/primitives.ts';
import { orAnswered, without } from '../answered-records.ts';
import { ownedFields } from '../common-fields.ts';
import { downstreamEntityFields } from '../downstream-entity/schema.ts';

const { externalId, producerCode, branchName, parentDownstreamEntityAssociationId, status } =
  association.shape;

/** An association as the resource shows it; it may contain its agency. */
export const associationRecord = orAnswered(
  z
    .strictObject({
      type: z.literal('association'),
      ...ownedFields,
      downstreamEntityId: described(
        z.optional(objectId),
        DOCUMENTED && { description: 'The agency; this or downstreamEntity is required.' },
      ),
      downstreamEntity: described(
        z.optional(z.strictObject(downstreamEntityFields)),
        DOCUMENTED && { description: 'The agency, which is imported with the association.' },
      ),
      externalId: described(
        z._default(externalId, null),
        DOCUMENTED && { description: 'Unique id of the relationship in the carrier’s own system.' },
      ),
      producerCode: described(
        z._default(producerCode, null),
        DOCUMENTED && { description: 'Unique code that the carrier gives the agency.' },
      ),
      branchName: z._default(branchName, null),
      parentDownstreamEntityAssociationId: described(
        z._default(parentDownstreamEntityAssociationId, null),
        DOCUMENTED && { description: 'For a branch, the association of its agency.' },
      ),
      status: z._default(status, 'active'),
    })
    .check(
      z.refine(
        (record) => (record.downstreamEntityId === undefined) !== (record.downstreamEntity === undefined),
        'requires either downstreamEntityId or downstreamEntity',
      ),
    ),
  (answered) => without(answered, 'registryDataSubscription'),
);

export type AssociationRecord = z.output<typeof associationRecord>;
