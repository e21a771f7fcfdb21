import * as z from 'zod/mini';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import { derivedObjectId, newObjectId } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { TableItems } from '#platform/data/table.ts';
import { documentUploaded } from '../events/agency-payloads.ts';
import { type EventItems, eventItemsOf, type NewEvent } from '../events/transaction-items.ts';
import { type FileCategory, fileCategories } from '../identifiers/identifiers.ts';
import { fileTypeNames } from './content.ts';
import { type AgencyFileDocument, agencyFileDocument } from './resource.ts';

const file = {
  objectKey: z.string(),
  fileName: z.string(),
  contentType: z.enum(fileTypeNames),
  sizeInBytes: z.int(),
};

/** Versions of a document at most (OpenAPI, "createFileDocument"). */
export const mostVersions = 200;

/** A document as it is stored: versions with their objects, and the pending upload. */
export const storedFileDocument = storedItem('file-documents/document', {
  _id: objectId,
  category: z.enum(fileCategories),
  downstreamEntityAssociationId: z.optional(objectId),
  /** The agency's entity that an agency uploaded the document for; its lists can be filtered by it. */
  downstreamEntityId: z.optional(objectId),
  /** The carrier that receives an event for each version; none where an operator or an agency keeps it private. */
  upstreamEntityId: z.optional(objectId),
  /**
   * Oldest first; the last one is served. Empty until the first upload has arrived. `scan` is the result of the scan for
   * malware as far as it is known; absent where the environment does not scan.
   */
  versions: z.array(
    z.object({
      version: z.int(),
      uploadedAt: timestamp,
      scan: z.optional(z.enum(['scanning', 'clean', 'threats found', 'unscannable'])),
      ...file,
    }),
  ),
  /** A presigned upload that was announced and not yet checked; a later one replaces it. */
  pending: z.optional(z.object(file)),
  /** The filing that the file is attached to, at most one. */
  usedBy: z.optional(z.string()),
});

export type StoredFileDocument = z.output<typeof storedFileDocument>;
export type StoredFileVersion = StoredFileDocument['versions'][number];
export type PendingUpload = NonNullable<StoredFileDocument['pending']>;

export const fileDocumentKeys = {
  document: (owner: string, fileDocumentId: string) => ({ pk: `${owner}#DOCUMENT`, sk: fileDocumentId }),
  /** Partition of the index by-owner. */
  list: (owner: string): string => owner,
  /** Partition of the index by-entity. */
  listOfEntity: (owner: string, downstreamEntityId: string): string => `${owner}#${downstreamEntityId}`,
};

/** The id of the one document of a versioned category that an organization, or an agency, has for an association, or for none. */
export const versionedDocumentId = (
  owner: string,
  category: FileCategory,
  downstreamEntityAssociationId: string | undefined,
): string => derivedObjectId('file document', owner, category, downstreamEntityAssociationId ?? '');

/**
 * Keys of objects, each written once. Objects under `incoming/` expire unless they become files of their documents. Everybody who
 * gets a link sees the key, the agency's next organization too: it does not say whose document it is.
 */
export const objectKeys = {
  incoming: (fileDocumentId: string, now: Date): string => `incoming/${fileDocumentId}/${newObjectId(now)}`,
  file: (fileDocumentId: string, now: Date): string => `files/${fileDocumentId}/${newObjectId(now)}`,
};

/** The item of a document, with its keys. */
export const fileDocumentItem = (owner: string, document: StoredFileDocument): Record<string, unknown> => ({
  ...fileDocumentKeys.document(owner, document._id),
  listKey: fileDocumentKeys.list(owner),
  listEntityKey:
    document.downstreamEntityId === undefined
      ? undefined
      : fileDocumentKeys.listOfEntity(owner, document.downstreamEntityId),
  ...document,
});

/** A document's status by its last version. */
function statusOf(last: StoredFileVersion | undefined): AgencyFileDocument['status'] {
  if (last === undefined) return 'awaiting upload';
  const { scan = 'clean' } = last;
  if (scan === 'clean') return 'available';
  return scan === 'scanning' ? 'scanning' : 'rejected';
}

/**
 * A document as callers see it: the version that is served, or while there is none the pending upload. Carriers do not see the
 * market's id.
 */
export function fileDocumentView(document: StoredFileDocument): AgencyFileDocument {
  const { pending, versions, downstreamEntityAssociationId = null } = document;
  const last = versions.at(-1);
  return z.parse(agencyFileDocument, {
    ...document,
    ...(last ?? pending),
    status: statusOf(last),
    upstreamDownstreamAssociationId: downstreamEntityAssociationId,
  });
}

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
