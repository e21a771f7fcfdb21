import { storedFileName } from '../../shared/domain/file-documents/file-name.ts';
import { type FileType, surplusLinesCategory } from '../../shared/domain/file-documents/file-types.ts';
import type { ObjectStore, UploadLink } from '../../shared/domain/file-documents/object-store.ts';
import {
  fileDocumentItem,
  objectKeys,
  type StoredFileDocument,
} from '../../shared/domain/file-documents/stored.ts';
import { isNew } from '../../shared/platform/data/expressions.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import type { Table } from '../../shared/platform/data/table.ts';

/** A file that an operator announces. */
export interface AnnouncedFile {
  readonly fileName: string;
  readonly contentType: FileType;
  readonly sizeInBytes: number;
}

/** Creates a file document with a pending upload, and the URL that accepts the file. */
export type AnnounceFile = (
  owner: string,
  file: AnnouncedFile,
) => Promise<{ readonly fileDocumentId: string; readonly upload: UploadLink }>;

/** A function's payload is at most 6 MB, so an operator's file is uploaded like a customer's large one. */
export const createAnnounceFile =
  (fileDocuments: Table, objectStore: ObjectStore, now: () => Date): AnnounceFile =>
  async (owner, file) => {
    const at = now();
    const fileDocumentId = newObjectId(at);
    const pending = {
      ...file,
      fileName: storedFileName(file.fileName, file.contentType),
      objectKey: objectKeys.incoming(fileDocumentId, at),
    };
    const document: StoredFileDocument = {
      _id: fileDocumentId,
      category: surplusLinesCategory,
      versions: [],
      pending,
    };
    const isPut = await fileDocuments.put(fileDocumentItem(owner, document), isNew);
    if (!isPut) throw new Error(`There is a file document ${fileDocumentId} already.`);
    return { fileDocumentId, upload: await objectStore.uploadLink(pending, at) };
  };
