import * as z from 'zod/mini';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { fileCategory } from '../identifiers/file-category.ts';

// Apart from `payloads.ts`: functions that emit this event alone load none of the other schemas.

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
