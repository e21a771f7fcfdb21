import { present } from '#platform/data/expressions.ts';
import type { Table } from '#platform/data/table.ts';
import { DomainError, notFoundAt } from '#platform/errors/domain-error.ts';
import { createFirstUse, servableVersion, unusableIssue } from './first-use.ts';
import type { ObjectStore, StoredFile } from './object-store.ts';
import { fileDocumentKeys, storedFileDocument, type UploadEventItems } from './stored.ts';

/** A file that a caller names and may not attach: where it is named, and its id if it is the caller's and on a filing. */
interface RefusedFile {
  readonly path: string;
  readonly onFiling?: string;
}

/** The refusal of files; it names those that are the caller's and already on a filing, of any organization. */
export function noSuchFiles(files: readonly RefusedFile[]): DomainError {
  const onFiling = files.flatMap((file) => file.onFiling ?? []);
  return notFoundAt(
    files.map(({ path }) => path),
    'does not exist, is not yours, or is on a filing already',
    onFiling.length === 0 ? {} : { onFiling },
  );
}

/** Refusal of a file that is on a filing already; none of any other. */
export const usedFile = (fileDocumentId: string, usedBy: string | undefined, path: string): RefusedFile[] =>
  usedBy === undefined ? [] : [{ path, onFiling: fileDocumentId }];

/** Path at which a request names the file of an index. */
export type FilePath = (index: number) => string;

export const fileListPath: FilePath = (index) => `fileDocumentIds[${index}]`;

/** File documents as filings use them. */
export type AttachableFiles = ReturnType<typeof createAttachableFiles>;

/** A file document that may be attached to a filing. */
export type AttachableFile = Awaited<ReturnType<AttachableFiles['read']>>[number];

export function createAttachableFiles(
  table: Table,
  objectStore: ObjectStore,
  events: UploadEventItems,
  now: () => Date = () => new Date(),
) {
  const firstUse = createFirstUse(table, objectStore, events);
  return {
    /**
     * The organization's files, in the order of their ids.
     * @param path where the caller's request named the file at that index
     * @throws DomainError `not_found` for an id that is unknown or another organization's; `invalid_input` for a file that
     *   still waits for its upload, or whose content is not what was announced; `state_conflict` for one that has not been
     *   found free of malware.
     */
    async read(owner: string, fileDocumentIds: readonly string[], path: FilePath = fileListPath) {
      const keys = Array.from(new Set(fileDocumentIds), (id) => fileDocumentKeys.document(owner, id));
      const storedDocuments = await table.getAll(storedFileDocument, keys);
      const documentsById = new Map(storedDocuments.map((document) => [document._id, document]));
      const documents = fileDocumentIds.flatMap((id) => documentsById.get(id) ?? []);
      if (documents.length < fileDocumentIds.length) {
        const refusedFiles = fileDocumentIds.flatMap((id, index) => {
          const file = documentsById.get(id);
          return file === undefined ? { path: path(index) } : usedFile(id, file.usedBy, path(index));
        });
        throw noSuchFiles(refusedFiles);
      }
      const usable = await Promise.all(documents.map((document) => firstUse(owner, document, now())));
      const faults = usable.flatMap(({ document, fault }, index) =>
        fault === undefined || document.versions.length > 0 ? [] : [unusableIssue(fault, path(index))],
      );
      if (faults.length > 0) throw new DomainError('invalid_input', { issues: faults });
      return usable.map(({ document }) => {
        const { objectKey, fileName, contentType, uploadedAt } = servableVersion(document);
        const { _id: fileDocumentId, downstreamEntityId, usedBy } = document;
        return {
          fileDocumentId,
          // The agency that it was uploaded for, if any.
          downstreamEntityId,
          objectKey,
          fileName,
          contentType,
          uploadedAt,
          // The filing that holds it already.
          usedBy,
        };
      });
    },

    /** The transaction item that claims a file for a filing; refused with VersionConflict when one has got it since it was read. */
    use: (owner: string, fileDocumentId: string, filingId: string) =>
      table.items.update(
        fileDocumentKeys.document(owner, fileDocumentId),
        { usedBy: filingId },
        { pk: present, usedBy: undefined },
      ),

    /**
     * The transaction items that make a file of one of these owners free again; none where the filing does not hold it. Refused with
     * VersionConflict when it was claimed or freed since.
     */
    async free(owners: readonly string[], fileDocumentId: string, filingId: string) {
      const items = owners.map(async (owner) => {
        const key = fileDocumentKeys.document(owner, fileDocumentId);
        const [document] = await table.getAll(storedFileDocument, [key]);
        return document?.usedBy === filingId
          ? [table.items.update(key, { usedBy: undefined }, { usedBy: filingId })]
          : [];
      });
      return (await Promise.all(items)).flat();
    },
  };
}

/** Short-lived URLs of a file: one downloads it, one displays it. */
export async function fileLinks(objectStore: ObjectStore, file: StoredFile, now: Date) {
  const [download, view] = await Promise.all([
    objectStore.downloadLink(file, 'attachment', now),
    objectStore.downloadLink(file, 'inline', now),
  ]);
  return { downloadUrl: download.url, viewUrl: view.url };
}
