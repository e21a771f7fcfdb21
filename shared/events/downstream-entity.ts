import * as z from 'zod/mini';
import { objectId } from '../contract/primitives.ts';
import { associationStatuses } from '../resources/association.ts';
import { downstreamEntity } from '../resources/downstream-entity.ts';

const text = z.nullable(z.string());

const fields = {
  downstreamEntityAssociationId: objectId,
  downstreamEntity,
  externalId: text,
  producerCode: text,
  branchName: text,
  status: z.enum(associationStatuses),
};

/** Payload of `DOWNSTREAM_ENTITY_CREATED`. */
export const downstreamEntityCreated = z.object(fields);

/** Payload of `DOWNSTREAM_ENTITY_UPDATED`. */
export const downstreamEntityUpdated = z.object(fields);
