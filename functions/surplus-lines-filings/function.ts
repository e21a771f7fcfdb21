import type { ApiDependencies } from '../../shared/config/dependencies.ts';
import { createMovesOf } from '../../shared/downstream-entities/entity-moves.ts';
import { createOwnEntity, createStillOwn } from '../../shared/downstream-entities/own-entity.ts';
import { createAttachableFiles } from '../../shared/file-documents/attachable.ts';
import { createUploadEventItems } from '../../shared/file-documents/events.ts';
import type { ObjectStore } from '../../shared/file-documents/object-store.ts';
import { createFilingStore } from '../../shared/filings/store.ts';
import { createPipeline, type Pipeline } from '../../shared/request/pipeline.ts';
import { type WriteGuardTables, writeGuards } from '../../shared/request/write-guards.ts';
import { createFilingLists } from './lists.ts';
import { surplusLinesFilingOperations } from './operations.ts';
import { surplusLinesFilingRoutes } from './routes.ts';

type Tables = 'filings' | 'fileDocuments' | 'downstreamEntities' | 'outbox' | keyof WriteGuardTables;

/** Serves the routes of surplus lines filings, for carriers and agencies. */
export const createSurplusLinesFilingsFunction = ({
  clients: { dynamo, objectStore },
  tables,
  context,
}: ApiDependencies<Tables, { readonly objectStore: ObjectStore }>): Pipeline =>
  createPipeline({
    ...context,
    group: surplusLinesFilingRoutes,
    operations: surplusLinesFilingOperations,
    deps: {
      filings: createFilingStore(dynamo, tables.filings),
      lists: createFilingLists(dynamo, tables.filings),
      files: createAttachableFiles(
        dynamo,
        tables.fileDocuments,
        objectStore,
        createUploadEventItems(tables.outbox),
      ),
      objectStore,
      ownEntity: createOwnEntity(dynamo, tables.downstreamEntities),
      movesOf: createMovesOf(dynamo, tables.downstreamEntities),
      stillOwn: createStillOwn(tables.downstreamEntities),
    },
    ...writeGuards(dynamo, tables),
  });
