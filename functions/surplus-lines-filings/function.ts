import { type ApiParts, apiFunction } from '../../shared/domain/api-function.ts';
import { createMovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { createOwnEntity, createStillOwn } from '../../shared/domain/downstream-entities/own-entity.ts';
import { createAttachableFiles } from '../../shared/domain/file-documents/attachable.ts';
import { createUploadEventItems } from '../../shared/domain/file-documents/events.ts';
import type { ObjectStore } from '../../shared/domain/file-documents/object-store.ts';
import { createFilingStore } from '../../shared/domain/filings/store.ts';
import { createChangesSince } from '../../shared/platform/changes/restored.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { attachFiles, replyToEscalation, setPolicyDocument } from './customer-changes.ts';
import { createFilingLists } from './lists.ts';
import { getFiling, listAgencyFilings, listFilings } from './read-filings.ts';
import { uses } from './uses.ts';

/** Serves the routes of surplus lines filings, for carriers and agencies. */
export const createSurplusLinesFilingsFunction = apiFunction({
  uses,
  operations: {
    listFilings,
    getFiling,
    setPolicyDocument,
    attachFiles,
    replyToEscalation,
    listAgencyFilings,
    getAgencyFiling: getFiling,
    setAgencyPolicyDocument: setPolicyDocument,
    attachAgencyFiles: attachFiles,
    replyToAgencyEscalation: replyToEscalation,
    getFilingV1: getFiling,
  },
  guards: writeGuards,
  deps: ({
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
    ownEntity: createOwnEntity(tables.downstreamEntities),
    movesOf: createMovesOf(tables.downstreamEntities),
    stillOwn: createStillOwn(tables.downstreamEntities),
  }),
});
