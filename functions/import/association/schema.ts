import * as z from 'zod/mini';
import { association } from '#domain/associations/resource.ts';
import { objectId } from '#platform/contract/primitives.ts';
import { ownedFields } from '../common-fields.ts';
import { downstreamEntityFields } from '../downstream-entity/schema.ts';

const { externalId, producerCode, branchName, parentDownstreamEntityAssociationId, status } =
  association.shape;

/** An association, which may contain its agency. */
export const associationRecord = z
  .strictObject({
    type: z.literal('association'),
    ...ownedFields,
    downstreamEntityId: z.optional(objectId),
    downstreamEntity: z.optional(z.strictObject(downstreamEntityFields)),
    externalId: z._default(externalId, null),
    producerCode: z._default(producerCode, null),
    branchName: z._default(branchName, null),
    parentDownstreamEntityAssociationId: z._default(parentDownstreamEntityAssociationId, null),
    status: z._default(status, 'active'),
  })
  .check(
    z.refine(
      (record) => (record.downstreamEntityId === undefined) !== (record.downstreamEntity === undefined),
      'requires either downstreamEntityId or downstreamEntity',
    ),
  );

export type AssociationRecord = z.output<typeof associationRecord>;
