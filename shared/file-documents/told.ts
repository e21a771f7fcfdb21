import { documentUploaded } from '../events/document-uploaded.ts';
import { type EventSteps, eventStepsOf, type NewEvent } from '../events/steps.ts';
import type { StoredFileDocument } from './stored.ts';

export type UploadEventSteps = EventSteps<'DOCUMENT_UPLOADED'>;

export const createUploadEventSteps = (table: string): UploadEventSteps =>
  eventStepsOf(table, { DOCUMENT_UPLOADED: documentUploaded });

/** What the document's last version tells its carrier; of a document without one nobody hears. */
export function uploadTold({
  _id,
  category,
  downstreamEntityAssociationId,
  upstreamEntityId,
  versions,
}: StoredFileDocument): NewEvent<'DOCUMENT_UPLOADED'>[] {
  const last = versions.at(-1);
  if (upstreamEntityId === undefined || last === undefined) return [];
  const { version, fileName, contentType, sizeInBytes, uploadedAt } = last;
  return [
    {
      type: 'DOCUMENT_UPLOADED',
      upstreamEntityId,
      entityId: _id,
      payload: {
        fileDocumentId: _id,
        category,
        version,
        fileName,
        contentType,
        sizeInBytes,
        downstreamEntityAssociationId: downstreamEntityAssociationId ?? null,
        uploadedAt,
      },
    },
  ];
}
