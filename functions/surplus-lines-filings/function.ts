import { apiFunctionWithDeps, type OperationWith } from '#domain/api-function.ts';
import { createOwnEntities } from '#domain/downstream-entities/own-entities.ts';
import { createAttachableFiles } from '#domain/file-documents/attachable.ts';
import { lambdaObjectStore } from '#domain/file-documents/lambda-object-store.ts';
import type { ObjectStore } from '#domain/file-documents/object-store.ts';
import { createUploadEventItems } from '#domain/file-documents/stored.ts';
import { createFilingStore } from '#domain/filings/store.ts';
import type { Resources } from '#domain/function.ts';
import { createUnlessRestored } from '#platform/changes/restored.ts';
import { writeServices } from '#platform/request/write-services.ts';
import * as changes from './change-filing.ts';
import * as reads from './lists.ts';
import { createFilingLists } from './lists.ts';
import { uses } from './uses.ts';

/** Dependencies of the operations of filings. */
const deps = ({
  tables,
  objectStore,
  context: { now },
}: Resources<typeof uses, { readonly objectStore: ObjectStore }>) => ({
  filings: createFilingStore(tables.filings, now),
  unlessRestored: createUnlessRestored([tables.filings]),
  lists: createFilingLists(tables.filings),
  files: createAttachableFiles(
    tables.fileDocuments,
    objectStore,
    createUploadEventItems(tables.outbox.items),
  ),
  objectStore,
  ...createOwnEntities(tables.downstreamEntities),
});

export type Deps = ReturnType<typeof deps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row, or of rows that share it. */
export type FilingOperation<Id extends keyof Routes> = OperationWith<Routes[Id], Deps>;

/** Serves the routes of surplus lines filings, for carriers and agencies. */
export const surplusLinesFilingsFunction = apiFunctionWithDeps({
  uses,
  operations: {
    ...reads,
    ...changes,
    getAgencyFiling: reads.getFiling,
    replaceAgencyFilingPolicyDocument: changes.replaceFilingPolicyDocument,
    attachAgencyFilingFiles: changes.attachFilingFiles,
    createAgencyFilingEscalationMessage: changes.createFilingEscalationMessage,
  },
  deps,
  services: writeServices,
  resources: ({ values }) => ({ objectStore: lambdaObjectStore(values.FILES_BUCKET, values.MALWARE_SCAN) }),
});
