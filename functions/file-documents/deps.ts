import type { ApiParts } from '../../shared/domain/api-function.ts';
import { createRelationshipAt } from '../../shared/domain/associations/relationship-at.ts';
import { createOwnEntities } from '../../shared/domain/downstream-entities/own-entity.ts';
import { createUploadEventItems } from '../../shared/domain/file-documents/events.ts';
import { createFirstUse } from '../../shared/domain/file-documents/first-use.ts';
import type { ObjectStore } from '../../shared/domain/file-documents/object-store.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import { createFileDocumentStore } from './store.ts';
import type { uses } from './uses.ts';

/** What the operations of file documents work with. */
export const fileDocumentDeps = ({
  tables,
  clients: { objectStore },
}: ApiParts<typeof uses, { readonly objectStore: ObjectStore }>) => {
  const events = createUploadEventItems(tables.outbox.items);
  const own = createOwnEntities(tables.downstreamEntities);
  return {
    documents: createFileDocumentStore(tables.fileDocuments),
    events,
    firstUse: createFirstUse(tables.fileDocuments, objectStore, events),
    objectStore,
    relationshipAt: createRelationshipAt(tables.associations, own.movesOf),
    ...own,
  };
};

export type FileDocumentDeps = ReturnType<typeof fileDocumentDeps>;

type Routes = typeof uses.routes.routes;

/** The operation of a row, or of rows that share it. */
export type FileDocumentOperation<Id extends keyof Routes> = Operation<Routes[Id], FileDocumentDeps>;
