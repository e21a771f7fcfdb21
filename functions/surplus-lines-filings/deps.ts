import type { ApiParts } from '../../shared/domain/api-function.ts';
import { createOwnEntities } from '../../shared/domain/downstream-entities/own-entity.ts';
import { createAttachableFiles } from '../../shared/domain/file-documents/attachable.ts';
import { createUploadEventItems } from '../../shared/domain/file-documents/events.ts';
import type { ObjectStore } from '../../shared/domain/file-documents/object-store.ts';
import { createFilingStore } from '../../shared/domain/filings/store.ts';
import { createChangesSince } from '../../shared/platform/changes/restored.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { createFilingLists } from './lists.ts';
import type { uses } from './uses.ts';

/** What the operations of filings work with. */
export const filingDeps = ({
  tables,
  clients: { objectStore },
  context: { now },
}: ApiParts<typeof uses, { readonly objectStore: ObjectStore }>) => ({
  filings: createFilingStore(tables.filings, now),
  changesSince: createChangesSince([tables.filings]),
  lists: createFilingLists(tables.filings),
  files: createAttachableFiles(
    tables.fileDocuments,
    objectStore,
    createUploadEventItems(tables.outbox.items),
  ),
  objectStore,
  ...createOwnEntities(tables.downstreamEntities),
});

export type FilingDeps = ReturnType<typeof filingDeps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row, or of rows that share it. */
export type FilingOperation<Id extends keyof Routes> = Operation<Routes[Id], FilingDeps>;
