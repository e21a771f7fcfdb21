import * as z from 'zod/mini';
import { describedShape } from '../../platform/contract/described.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { objectId, timestamp } from '../../platform/contract/primitives.ts';
import { fileCategory } from '../file-documents/file-types.ts';
import { fileDocumentId } from '../identifiers/ids.ts';

/** Payload of `DOCUMENT_UPLOADED`. */
export const documentUploaded = lazyObject(() =>
  describedShape(
    {
      fileDocumentId,
      category: fileCategory,
      version: z.int(),
      fileName: z.string(),
      contentType: z.string(),
      sizeInBytes: z.int(),
      downstreamEntityAssociationId: z.nullable(objectId),
      uploadedAt: timestamp,
    },
    DOCUMENTED && {
      version: 'Number of the version, from 1; above 1 if the document had a version before.',
      fileName: 'Name under which the file is saved.',
      contentType: 'Media type, determined from the content.',
      sizeInBytes: 'Length of the content.',
      downstreamEntityAssociationId:
        'Id of the association that the file was uploaded for; null if for none.',
      uploadedAt: 'When the version was added.',
    },
  ),
);
