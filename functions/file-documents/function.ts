import { type ApiParts, apiFunction } from '../../shared/domain/api-function.ts';
import { createRelationshipAt } from '../../shared/domain/associations/relationship-at.ts';
import { createMovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { createOwnEntity, createStillOwn } from '../../shared/domain/downstream-entities/own-entity.ts';
import { createUploadEventItems } from '../../shared/domain/file-documents/events.ts';
import { createFirstUse } from '../../shared/domain/file-documents/first-use.ts';
import type { ObjectStore } from '../../shared/domain/file-documents/object-store.ts';
import { parseForm } from '../../shared/platform/request/form.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { createFileDocument } from './create-file-document.ts';
import { getDownloadUrl, getFileDocument, listDocuments } from './read-file-document.ts';
import { createFileDocumentStore } from './store.ts';
import { uses } from './uses.ts';

/** Serves the routes of file documents. */
export const createFileDocumentsFunction = apiFunction({
  uses,
  operations: {
    createFileDocument,
    createFileDocumentV1: createFileDocument,
    createDocument: createFileDocument,
    getFileDocument,
    listDocuments,
    getFileDocumentDownloadUrl: getDownloadUrl,
    getFileDocumentDownloadUrlV1: getDownloadUrl,
    getDocumentDownloadUrl: getDownloadUrl,
  },
  guards: (dynamo, names) => ({ ...writeGuards(dynamo, names), parseForm }),
  deps: ({
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
  },
});
