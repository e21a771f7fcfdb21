import * as z from 'zod/mini';
import { objectId, timestamp } from '../contract/primitives.ts';
import { fileCategories } from '../resources/file-document.ts';

/** Payload of `DOCUMENT_UPLOADED`. */
export const documentUploaded = z
  .object({
    fileDocumentId: objectId,
    category: z.enum(fileCategories),
    version: z.int(),
    fileName: z.string(),
    contentType: z.string(),
    sizeInBytes: z.int(),
    downstreamEntityAssociationId: z.nullable(objectId),
    uploadedAt: timestamp,
  })
  .register(z.globalRegistry, {
    id: 'DocumentUploaded',
    description: 'A file was uploaded: a new document, or another version of one.',
    examples: [
      {
        fileDocumentId: '65f0c1d2e3a4b5c6d7e8f9aa',
        category: 'W9',
        version: 1,
        fileName: 'w9.pdf',
        contentType: 'application/pdf',
        sizeInBytes: 48_213,
        downstreamEntityAssociationId: '65f0c1d2e3a4b5c6d7e8f904',
        uploadedAt: '2026-06-01T09:00:00.000Z',
      },
    ],
  });
