import * as z from 'zod/mini';
import { objectId, timestamp } from '../contract/primitives.ts';
import { fileCategories } from '../resources/file-types.ts';

/** Payload of `DOCUMENT_UPLOADED`. */
export const documentUploaded = z.object({
  fileDocumentId: objectId,
  category: z.enum(fileCategories),
  version: z.int(),
  fileName: z.string(),
  contentType: z.string(),
  sizeInBytes: z.int(),
  downstreamEntityAssociationId: z.nullable(objectId),
  uploadedAt: timestamp,
});
