import type { TableItems } from '../../platform/data/table-items.ts';
import { documentUploaded } from '../events/document-uploaded.ts';
import { type EventItems, eventItemsOf, type NewEvent } from '../events/transaction-items.ts';
import type { StoredFileDocument } from './stored.ts';

export type UploadEventItems = EventItems<'DOCUMENT_UPLOADED'>;

export const createUploadEventItems = (outbox: TableItems): UploadEventItems =>
  eventItemsOf(outbox, { DOCUMENT_UPLOADED: documentUploaded });

/** The event of the document's last version for its carrier; none for a document without a carrier. */
export function uploadEvents({
  _id,
  category,
  downstreamEntityAssociationId,
  upstreamEntityId,
  versions,
}: StoredFileDocument): NewEvent<'DOCUMENT_UPLOADED'>[] {
  const last = versions.at(-1);
  if (upstreamEntityId === undefined || last === undefined) return [];
  return [
    {
      type: 'DOCUMENT_UPLOADED',
      upstreamEntityId,
      entityId: _id,
      payload: {
        ...last,
        fileDocumentId: _id,
        category,
        downstreamEntityAssociationId: downstreamEntityAssociationId ?? null,
      },
    },
  ];
}
