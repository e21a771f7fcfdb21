import { lambdaObjectStore } from '#domain/file-documents/lambda-object-store.ts';
import { apiFunction } from '#function/api-function.ts';
import { parseForm } from '#platform/request/form.ts';
import { writeServices } from '#platform/request/write-services.ts';
import { createUpload, fileDocumentReads } from './operations.ts';
import { createFileDocumentSources } from './store.ts';
import { uses } from './uses.ts';

/** Serves the routes of file documents. */
export const fileDocumentsFunction = apiFunction({
  uses,
  resources: ({ values }) => ({ objectStore: lambdaObjectStore(values.FILES_BUCKET, values.MALWARE_SCAN) }),
  operations: (resources) => {
    const sources = createFileDocumentSources(resources);
    const reads = fileDocumentReads(sources);
    const createFileDocument = createUpload(sources);
    return {
      ...reads,
      getFileDocument: reads.getAgencyFileDocument,
      getAgencyFileDocumentDownloadUrl: reads.getFileDocumentDownloadUrl,
      createFileDocument,
      createAgencyFileDocument: createFileDocument,
    };
  },
  services: (...dependencies) => ({ ...writeServices(...dependencies), parseForm }),
});
