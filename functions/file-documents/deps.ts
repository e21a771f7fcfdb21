import type { ApiParts } from '../../shared/domain/api-function.ts';
import { createRelationshipAt } from '../../shared/domain/associations/relationship-at.ts';
import { createMovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { createOwnEntity, createStillOwn } from '../../shared/domain/downstream-entities/own-entity.ts';
import { createUploadEventItems } from '../../shared/domain/file-documents/events.ts';
import { createFirstUse } from '../../shared/domain/file-documents/first-use.ts';
import type { ObjectStore } from '../../shared/domain/file-documents/object-store.ts';
import type { Operation } from '../../shared/platform/request/operation.ts';
import type { fileDocumentRoutes } from './routes.ts';
import { createFileDocumentStore } from './store.ts';
import type { uses } from './uses.ts';

/** What the operations of file documents work with. */
export const fileDocumentDeps = ({
  tables,
  clients: { objectStore },
}: ApiParts<typeof uses, { readonly objectStore: ObjectStore }>) => {
  const events = createUploadEventItems(tables.outbox.items);
  const movesOf = createMovesOf(tables.downstreamEntities);
  return {
    documents: createFileDocumentStore(tables.fileDocuments),
    ownEntity: createOwnEntity(tables.downstreamEntities),
    events,
    firstUse: createFirstUse(tables.fileDocuments, objectStore, events),
    objectStore,
    relationshipAt: createRelationshipAt(tables.associations, movesOf),
    movesOf,
    stillOwn: createStillOwn(tables.downstreamEntities),
  };
};

export type FileDocumentDeps = ReturnType<typeof fileDocumentDeps>;

type Routes = typeof fileDocumentRoutes.routes;

/** The operation of a row, or of rows that share it. */
export type FileDocumentOperation<Id extends keyof Routes> = Operation<Routes[Id], FileDocumentDeps>;
