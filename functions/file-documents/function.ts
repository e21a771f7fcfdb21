import { createRelationshipAt } from '../../shared/domain/associations/relationship-at.ts';
import { createMovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { createOwnEntity, createStillOwn } from '../../shared/domain/downstream-entities/own-entity.ts';
import { createUploadEventItems } from '../../shared/domain/file-documents/events.ts';
import { createFirstUse } from '../../shared/domain/file-documents/first-use.ts';
import type { ObjectStore } from '../../shared/domain/file-documents/object-store.ts';
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
  tables,
  context,
}: ApiDependencies<typeof uses, { readonly objectStore: ObjectStore }>): Pipeline {
  const events = createUploadEventItems(tables.outbox);
  const movesOf = createMovesOf(dynamo, tables.downstreamEntities);
  return createPipeline({
    ...context,
    group: fileDocumentRoutes,
    operations: fileDocumentOperations,
    deps: {
      documents: createFileDocumentStore(dynamo, tables.fileDocuments),
      ownEntity: createOwnEntity(dynamo, tables.downstreamEntities),
      events,
      firstUse: createFirstUse(dynamo, tables.fileDocuments, objectStore, events),
      objectStore,
      relationshipAt: createRelationshipAt(dynamo, tables.associations, movesOf),
      movesOf,
      stillOwn: createStillOwn(tables.downstreamEntities),
    },
    ...writeGuards(dynamo, tables),
    parseForm,
  });
}
