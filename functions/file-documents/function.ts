import { apiFunction } from '../../shared/domain/api-function.ts';
import { parseForm } from '../../shared/platform/request/form.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { createFileDocument } from './create-file-document.ts';
import { fileDocumentDeps } from './deps.ts';
import { getDownloadUrl, getFileDocument, listDocuments } from './read-file-document.ts';
import { uses } from './uses.ts';

/** Serves the routes of file documents. */
export const createFileDocumentsFunction = apiFunction({
  uses,
  deps: fileDocumentDeps,
  guards: (dynamo, names) => ({ ...writeGuards(dynamo, names), parseForm }),
  operations: {
    createFileDocument,
    createDocument: createFileDocument,
    getFileDocument,
    listDocuments,
    getFileDocumentDownloadUrl: getDownloadUrl,
    getDocumentDownloadUrl: getDownloadUrl,
  },
});
