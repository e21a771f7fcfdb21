import { createMovesOf } from '../../shared/domain/downstream-entities/entity-moves.ts';
import { createOwnEntity, createStillOwn } from '../../shared/domain/downstream-entities/own-entity.ts';
import { createAttachableFiles } from '../../shared/domain/file-documents/attachable.ts';
import { createUploadEventItems } from '../../shared/domain/file-documents/events.ts';
import type { ObjectStore } from '../../shared/domain/file-documents/object-store.ts';
import { createFilingStore } from '../../shared/domain/filings/store.ts';
import { tablesOf } from '../../shared/domain/tables.ts';
import type { ApiDependencies } from '../../shared/platform/config/dependencies.ts';
import { createPipeline, type Pipeline } from '../../shared/platform/request/pipeline.ts';
import { writeGuards } from '../../shared/platform/request/write-guards.ts';
import { createFilingLists } from './lists.ts';
import { surplusLinesFilingOperations } from './operations.ts';
import { surplusLinesFilingRoutes } from './routes.ts';
import type { uses } from './uses.ts';

/** Serves the routes of surplus lines filings, for carriers and agencies. */
export function createSurplusLinesFilingsFunction({
  clients: { dynamo, objectStore },
  tables: names,
  context,
}: ApiDependencies<typeof uses, { readonly objectStore: ObjectStore }>): Pipeline {
  const tables = tablesOf(dynamo, names);
  return createPipeline({
    ...context,
    group: surplusLinesFilingRoutes,
    operations: surplusLinesFilingOperations,
    deps: {
      filings: createFilingStore(tables.filings),
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
    },
    ...writeGuards(dynamo, names),
  });
}
