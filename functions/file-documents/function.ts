import { apiFunctionWithDeps, type OperationWith } from '#domain/api-function.ts';
import { createRelationshipAt } from '#domain/associations/relationship.ts';
import { createOwnEntities } from '#domain/downstream-entities/own-entities.ts';
import { createFirstUse } from '#domain/file-documents/first-use.ts';
import { lambdaObjectStore } from '#domain/file-documents/lambda-object-store.ts';
import type { ObjectStore } from '#domain/file-documents/object-store.ts';
import { createUploadEventItems } from '#domain/file-documents/stored.ts';
import type { Resources } from '#domain/function.ts';
import { parseForm } from '#platform/request/form.ts';
import { writeServices } from '#platform/request/write-services.ts';
import * as uploads from './create-file-document.ts';
import * as reads from './read-file-document.ts';
import { createFileDocumentStore } from './store.ts';
import { uses } from './uses.ts';

/** Dependencies of the operations of file documents. */
const deps = ({
  tables,
  objectStore,
  context,
}: Resources<typeof uses, { readonly objectStore: ObjectStore }>) => {
  const events = createUploadEventItems(tables.outbox.items);
  const ownEntities = createOwnEntities(tables.downstreamEntities);
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
    ...ownEntities,
  };
};

export type Deps = ReturnType<typeof deps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row, or of rows that share it. */
export type FileDocumentOperation<Id extends keyof Routes> = OperationWith<Routes[Id], Deps>;

/** Serves the routes of file documents. */
export const fileDocumentsFunction = apiFunctionWithDeps({
  uses,
  operations: {
    ...uploads,
    ...reads,
    createAgencyFileDocument: uploads.createFileDocument,
    getAgencyFileDocument: reads.getFileDocument,
    getAgencyFileDocumentDownloadUrl: reads.getFileDocumentDownloadUrl,
  },
  deps,
  services: (...dependencies) => ({ ...writeServices(...dependencies), parseForm }),
  resources: ({ values }) => ({ objectStore: lambdaObjectStore(values.FILES_BUCKET, values.MALWARE_SCAN) }),
});
