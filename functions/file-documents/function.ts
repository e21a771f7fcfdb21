import { apiFunction } from '../../shared/domain/api-function.ts';
import { parseForm } from '../../shared/platform/request/form.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import * as uploads from './create-file-document.ts';
import { fileDocumentDeps } from './deps.ts';
import * as reads from './read-file-document.ts';
import { uses } from './uses.ts';

/** Serves the routes of file documents. */
export const createFileDocumentsFunction = apiFunction({
  uses,
  deps: fileDocumentDeps,
  guards: (dynamo, names) => ({ ...writeGuards(dynamo, names), parseForm }),
  operations: {
    ...uploads,
    ...reads,
    createAgencyFileDocument: uploads.createFileDocument,
    getAgencyFileDocument: reads.getFileDocument,
    getAgencyFileDocumentDownloadUrl: reads.getFileDocumentDownloadUrl,
  },
});
