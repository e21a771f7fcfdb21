import * as z from 'zod/mini';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { associationStatus, downstreamEntity } from '../downstream-entities/resource.ts';
import { fileCategory } from '../identifiers/identifiers.ts';

// Apart from `payloads.ts`: functions that emit these events alone load none of the other schemas.

const text = z.nullable(z.string());

export const associationFields = z.object({
  downstreamEntityAssociationId: objectId,
  downstreamEntity,
  externalId: text,
  producerCode: text,
  branchName: text,
  status: associationStatus,
});

/** Payload of `DOWNSTREAM_ENTITY_CREATED`. */
export const downstreamEntityCreated = z.object(associationFields.shape);

/** Payload of `DOWNSTREAM_ENTITY_UPDATED`. */
export const downstreamEntityUpdated = z.object(associationFields.shape);

/** Payload of `DOCUMENT_UPLOADED`. */
export const documentUploaded = z.object({
  fileDocumentId: objectId,
  category: fileCategory,
  version: z.int(),
  fileName: z.string(),
  contentType: z.string(),
  sizeInBytes: z.int(),
  downstreamEntityAssociationId: z.nullable(objectId),
  uploadedAt: timestamp,
});
