import * as z from 'zod/mini';
import { fields, object } from '../../platform/contract/object.ts';
import { associationStatus } from '../associations/resource.ts';
import { downstreamEntity } from '../downstream-entities/resource.ts';
import { downstreamEntityAssociationId } from '../identifiers/ids.ts';

const text = z.nullable(z.string());

export const associationFields = fields(() => ({
  downstreamEntityAssociationId,
  downstreamEntity,
  externalId: text,
  producerCode: text,
  branchName: text,
  status: associationStatus,
}));

/** Payload of `DOWNSTREAM_ENTITY_CREATED`. */
export const downstreamEntityCreated = object(() => associationFields.shape);

/** Payload of `DOWNSTREAM_ENTITY_UPDATED`. */
export const downstreamEntityUpdated = object(() => associationFields.shape);
