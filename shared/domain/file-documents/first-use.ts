import { appended, present, sized } from '#platform/data/expressions.ts';
import type { Table } from '#platform/data/table.ts';
import { retryOnConflict, TransactionContention, VersionConflict } from '#platform/data/transact.ts';
import { DomainError, type Issue, notFoundAt } from '#platform/errors/domain-error.ts';
import { contentOf, largestFile, signatureBytes } from './content.ts';
import type { ObjectStore, StoredFile } from './object-store.ts';
import {
  fileDocumentKeys,
  fileDocumentView,
  objectKeys,
  type PendingUpload,
  type StoredFileDocument,
  type StoredFileVersion,
  storedFileDocument,
  type UploadEventItems,
  uploadEvents,
} from './stored.ts';

/**
 * Asks for the result of the scan of a document's last version, unless it is known, and remembers it: a version is asked
 * for once after its scan.
 */
type ScanCheck = (owner: string, document: StoredFileDocument) => Promise<StoredFileDocument>;

/** An operator can have a file scanned again that could not be scanned. */
const isFinal = (scan: StoredFileVersion['scan']): boolean => scan === 'clean' || scan === 'threats found';

const createScanCheck =
  (table: Table, objectStore: ObjectStore): ScanCheck =>
  async (owner, document) => {
    const last = document.versions.at(-1);
    if (!objectStore.scans || last === undefined || isFinal(last.scan)) return document;
    const scan = (await objectStore.scanResult(last.objectKey)) ?? 'scanning';
    if (scan === last.scan) return document;
    // Versions are only ever appended, so that the position is that of the object.
    const path = `versions[${document.versions.length - 1}]`;
    await table.update(
      fileDocumentKeys.document(owner, document._id),
      { [`${path}.scan`]: scan },
      { [`${path}.objectKey`]: last.objectKey },
    );
    return { ...document, versions: [...document.versions.slice(0, -1), { ...last, scan }] };
  };

const reasons = {
  scanning: 'The file is being scanned for malware. Try again in a few seconds.',
  'threats found': 'The file contains malware and will never be served. Upload another one.',
  unscannable: 'The file cannot be scanned for malware. Upload it without a password or encryption.',
};

/**
 * The last version of a document, which may be served and attached.
 * @throws DomainError `state_conflict` when it has not been found clean.
 */
export function servableVersion(document: StoredFileDocument): StoredFileVersion {
  const last = document.versions.at(-1);
  if (last === undefined) throw new Error(`The file document ${document._id} has no version.`);
  const { scan = 'clean' } = last;
  if (scan === 'clean') return last;
  throw new DomainError('state_conflict', {
    message: reasons[scan],
    limit: { expected: 'available', actual: fileDocumentView(document).status },
    ...(scan === 'scanning' ? { retryAfterSeconds: 2 } : {}),
  });
}

/** A document after its pending upload was checked. */
interface UsableDocument {
  readonly document: StoredFileDocument;
  /** Why the pending upload did not become a version. */
  readonly fault: 'awaiting upload' | 'other content' | undefined;
}

/**
 * Checks a document's presigned upload when the document is first used, and makes it a version if it has arrived and
 * matches the announcement; the event for its carrier is written in the same transaction. Where files are scanned for
 * malware, the document has the result of the last version's scan.
 */
type FirstUse = (owner: string, document: StoredFileDocument, now: Date) => Promise<UsableDocument>;

/** Each attempt reads and copies the upload. */
const attempts = 3;

/** The error for a document that cannot be used, as a validation error at `path`. */
export const unusableIssue = (fault: NonNullable<UsableDocument['fault']>, path: string): Issue => ({
  path,
  message:
    fault === 'awaiting upload'
      ? 'is still awaiting upload'
      : 'was uploaded with content that does not match the announced type and length',
});

export const createFirstUse = (
  table: Table,
  objectStore: ObjectStore,
  events: UploadEventItems,
): FirstUse => {
  const checkScan = createScanCheck(table, objectStore);

  /** Whether the object matches the announcement, and the ETag of the content that was checked. */
  async function inspect(
    pending: PendingUpload,
  ): Promise<{ readonly fault: UsableDocument['fault']; readonly etag: string }> {
    let start = await objectStore.readStart(pending.objectKey, signatureBytes);
    if (start === undefined) return { fault: 'awaiting upload', etag: '' };
    let content = await contentOf(start.bytes, start.bytes.length === start.sizeInBytes);
    if (content.needsAll && start.sizeInBytes <= largestFile) {
      start = await objectStore.readStart(pending.objectKey, largestFile);
      if (start === undefined) return { fault: 'awaiting upload', etag: '' };
      content = await contentOf(start.bytes, true);
    }
    const isAnnounced = content.type === pending.contentType && start.sizeInBytes === pending.sizeInBytes;
    return { fault: isAnnounced ? undefined : 'other content', etag: start.etag };
  }

  /**
   * Makes the copied upload a version.
   * @throws VersionConflict when another request has changed the document since it was read.
   */
  async function record(
    owner: string,
    document: StoredFileDocument,
    { objectKey: pendingKey }: PendingUpload,
    version: StoredFileDocument['versions'][number],
    now: Date,
  ): Promise<StoredFileDocument> {
    const { pending: _, ...rest } = document;
    const after = { ...rest, versions: [...document.versions, version] };
    const changes = { versions: appended([version]), pending: undefined };
    const isAsRead = { 'pending.objectKey': pendingKey, versions: sized(document.versions.length) };
    try {
      await table.transact([
        table.items.update(fileDocumentKeys.document(owner, document._id), changes, isAsRead),
        ...events(uploadEvents(after), now),
      ]);
      return after;
    } catch (error) {
      // The other request may have made the upload a version by now.
      throw error instanceof TransactionContention ? new VersionConflict(undefined, { cause: error }) : error;
    }
  }

  async function reread(owner: string, fileDocumentId: string): Promise<StoredFileDocument> {
    // Read the way documents to be attached are, so that a function needs only one permission.
    const key = fileDocumentKeys.document(owner, fileDocumentId);
    const [storedDocument] = await table.getAll(storedFileDocument, [key]);
    if (storedDocument === undefined) throw new DomainError('not_found');
    return storedDocument;
  }

  const checkUpload: FirstUse = (owner, initialDocument, now) =>
    retryOnConflict(
      async (attempt) => {
        const document = attempt === 1 ? initialDocument : await reread(owner, initialDocument._id);
        const { pending } = document;
        if (pending === undefined) return { document, fault: undefined };
        const { fault, etag } = await inspect(pending);
        if (fault !== undefined) return { document, fault };
        // A key that nothing else writes: the upload's URL stays valid for its hour, and a concurrent request
        // may have checked other content.
        const version = document.versions.length + 1;
        const objectKey = objectKeys.file(document._id, now);
        if (!(await objectStore.copy(pending.objectKey, objectKey, etag))) {
          throw new VersionConflict('The upload was replaced after it was inspected.');
        }
        const scan = objectStore.scans ? { scan: 'scanning' as const } : {};
        const file = { ...pending, version, objectKey, uploadedAt: now.toISOString(), ...scan };
        return { document: await record(owner, document, pending, file, now), fault: undefined };
      },
      { attempts },
    );
  return async (owner, initialDocument, now) => {
    const { document, fault } = await checkUpload(owner, initialDocument, now);
    return { document: await checkScan(owner, document), fault };
  };
};

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
