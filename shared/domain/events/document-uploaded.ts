import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { objectId, timestamp } from '../../platform/contract/primitives.ts';
import { fileCategory } from '../file-documents/file-types.ts';
import { fileDocumentId } from '../identifiers/ids.ts';

/** Payload of `DOCUMENT_UPLOADED`. */
export const documentUploaded = object(() => ({
  fileDocumentId,
  category: fileCategory,
  version: z.int(),
  fileName: z.string(),
  contentType: z.string(),
  sizeInBytes: z.int(),
  downstreamEntityAssociationId: z.nullable(objectId),
  uploadedAt: timestamp,
}));
