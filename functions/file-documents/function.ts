import { createRelationshipAt } from '../../shared/domain/associations/relationship-at.ts';
import { createMovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { createOwnEntity, createStillOwn } from '../../shared/domain/downstream-entities/own-entity.ts';
import { createUploadEventItems } from '../../shared/domain/file-documents/events.ts';
import { createFirstUse } from '../../shared/domain/file-documents/first-use.ts';
import type { ObjectStore } from '../../shared/domain/file-documents/object-store.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import { parseForm } from '../../shared/platform/request/form.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { fileDocumentOperations } from './operations.ts';
import { fileDocumentRoutes } from './routes.ts';
import { createFileDocumentStore } from './store.ts';
import type { uses } from './uses.ts';

/** Serves the routes of file documents. */
export function createFileDocumentsFunction({
  clients: { dynamo, objectStore },
  tables: names,
  context,
}: ApiDependencies<typeof uses, { readonly objectStore: ObjectStore }>): Pipeline {
  const tables = tablesOf(dynamo, names);
  const events = createUploadEventItems(tables.outbox.items);
  const movesOf = createMovesOf(tables.downstreamEntities);
  return createPipeline({
    ...context,
    group: fileDocumentRoutes,
    operations: fileDocumentOperations,
    deps: {
      documents: createFileDocumentStore(tables.fileDocuments),
      ownEntity: createOwnEntity(tables.downstreamEntities),
      events,
      firstUse: createFirstUse(tables.fileDocuments, objectStore, events),
      objectStore,
      relationshipAt: createRelationshipAt(tables.associations, movesOf),
      movesOf,
      stillOwn: createStillOwn(tables.downstreamEntities),
    },
    ...writeGuards(dynamo, names),
    parseForm,
  });
}
