import { createRelationshipAt } from '#domain/associations/stored.ts';
import { createOwnEntities, type OwnPartitions } from '#domain/downstream-entities/stored.ts';
import { createFirstUse } from '#domain/file-documents/first-use.ts';
import type { ObjectStore } from '#domain/file-documents/object-store.ts';
import {
  createUploadEventItems,
  fileDocumentItem,
  fileDocumentKeys,
  mostVersions,
  type PendingUpload,
  type StoredFileDocument,
  type StoredFileVersion,
  storedFileDocument,
} from '#domain/file-documents/stored.ts';
import type { Resources } from '#function/function.ts';
import { appended, isNew, sized } from '#platform/data/expressions.ts';
import type { PageOf, Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem } from '#platform/data/transact.ts';
import { limitReached } from '#platform/errors/domain-error.ts';
import type { uses } from './uses.ts';

/** Addition of an upload to a document: a version, which replaces a pending upload, or a pending upload. */
type Addition =
  | { readonly version: Omit<StoredFileVersion, 'version'> }
  | { readonly pending: PendingUpload };

function withAddition(document: StoredFileDocument, addition: Addition): StoredFileDocument {
  if ('pending' in addition) return { ...document, pending: addition.pending };
  // An upload that was announced earlier must not become the last version afterwards.
  const { pending: _, ...rest } = document;
  const version = { version: document.versions.length + 1, ...addition.version };
  return { ...rest, versions: [...document.versions, version] };
}

type DocumentIndex = 'by-owner' | 'by-entity';

/**
 * File documents under the owners in their keys: a carrier, or an agency's organization.
 */
function createFileDocumentStore(table: Table<DocumentIndex>) {
  // The read after one's own write finds it.
  const find = (owner: string, fileDocumentId: string) =>
    table.get(storedFileDocument, fileDocumentKeys.document(owner, fileDocumentId));

  const change = (owner: string, before: StoredFileDocument, after: StoredFileDocument): TransactionItem =>
    table.items.update(
      fileDocumentKeys.document(owner, before._id),
      after.versions.length > before.versions.length
        ? { versions: appended(after.versions.slice(-1)), pending: undefined }
        : { pending: after.pending },
      { versions: sized(before.versions.length) },
    );

  return {
    find,

    /** A page of an organization's documents by id, of one of its agencies if one is given, and how many there are. */
    page: (owner: string, downstreamEntityId: string | undefined, page: PageOf) =>
      table.itemPage(storedFileDocument, partitionsOf(owner, downstreamEntityId), page),

    /**
     * Adds to the document with that id, or creates it, together with further items of the transaction.
     * @param addition makes what is added, once, if there is room for it.
     * @throws DomainError `state_conflict` for a document with `mostVersions`; TransactionContention when other requests keep
     *   adding to the same document.
     */
    add(
      owner: string,
      document: Omit<StoredFileDocument, 'versions' | 'pending'>,
      addition: () => Promise<Addition>,
      furtherItems: (document: StoredFileDocument) => readonly TransactionItem[],
    ) {
      let newAddition: Addition | undefined;
      return retryOnConflict(async (attempt) => {
        const mayExist = attempt > 1 || isVersioned(document);
        const before = mayExist ? await find(owner, document._id) : undefined;
        if (before !== undefined && before.versions.length >= mostVersions)
          throw limitReached(`A document can have at most ${mostVersions} versions.`, mostVersions);
        newAddition ??= await addition();
        const after = withAddition(before ?? { ...document, versions: [] }, newAddition);
        const write =
          before === undefined
            ? table.items.put(fileDocumentItem(owner, after), isNew)
            : change(owner, before, after);
        await table.transact([write, ...furtherItems(after)]);
        return after;
      });
    },
  };
}

const partitionsOf: OwnPartitions<DocumentIndex> = (owner, downstreamEntityId) => [
  downstreamEntityId === undefined
    ? { index: 'by-owner', value: fileDocumentKeys.list(owner) }
    : { index: 'by-entity', value: fileDocumentKeys.listOfEntity(owner, downstreamEntityId) },
];

/** A document that every upload creates need not be read first. */
const isVersioned = ({ category }: Pick<StoredFileDocument, 'category'>): boolean =>
  category !== 'Surplus Lines';

/** What the operations of file documents work with. */
export function createFileDocumentSources({
  tables,
  objectStore,
  context,
}: Resources<typeof uses, { readonly objectStore: ObjectStore }>) {
  const events = createUploadEventItems(tables.outbox.items);
  return {
    documents: createFileDocumentStore(tables.fileDocuments),
    events,
    firstUse: createFirstUse(tables.fileDocuments, objectStore, events),
    /** An alarm sums the bytes of an organization. */
    logUpload: (organizationId: string, bytes: number) =>
      context.logger.info('A file was uploaded or announced.', {
        event: 'file_uploaded',
        organizationId,
        bytes,
      }),
    objectStore,
    relationshipAt: createRelationshipAt(tables.associations),
    ...createOwnEntities(tables.downstreamEntities),
  };
}

export type FileDocumentSources = ReturnType<typeof createFileDocumentSources>;
