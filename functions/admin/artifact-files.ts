import { storedFileName } from '../../shared/domain/file-documents/file-name.ts';
import type { ObjectStore } from '../../shared/domain/file-documents/object-store.ts';
import {
  fileDocumentItem,
  objectKeys,
  type PendingUpload,
  type StoredFileDocument,
} from '../../shared/domain/file-documents/stored.ts';
import { surplusLinesCategory } from '../../shared/domain/identifiers/file-category.ts';
import { isNew } from '../../shared/platform/data/expressions.ts';
import { newObjectId } from '../../shared/platform/data/object-id.ts';
import type { Table } from '../../shared/platform/data/table.ts';

/**
 * Creates a file document with a pending upload, and the URL that accepts the file. A function's payload is at most 6 MB, so an
 * operator's file is uploaded like a customer's large one.
 */
export const createAnnounceFile =
  (fileDocuments: Table, objectStore: ObjectStore, now: () => Date) =>
  async (owner: string, file: Omit<PendingUpload, 'objectKey'>) => {
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
