import { createRelationshipAt } from '../../shared/associations/relationship-at.ts';
import { apiContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createOwnEntity } from '../../shared/downstream-entities/own-entity.ts';
import { createFirstUse } from '../../shared/file-documents/first-use.ts';
import { lambdaObjectStore } from '../../shared/file-documents/lambda-object-store.ts';
import { createUploadEventSteps } from '../../shared/file-documents/told.ts';
import { createIdempotency } from '../../shared/request/idempotency.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { createRateLimiter } from '../../shared/request/rate-limit.ts';
import { fileDocumentsEnvironment } from './environment.ts';
import { fileDocumentOperations } from './operations.ts';
import { fileDocumentRoutes } from './routes.ts';
import { createFileDocumentStore } from './store.ts';

const environment = readEnvironment(fileDocumentsEnvironment);
const context = apiContext('file-documents', environment);
const dynamo = createDynamoClient();
const events = createUploadEventSteps(environment.OUTBOX_TABLE);
const objectStore = lambdaObjectStore(environment.FILES_BUCKET);

export const handler = lambdaHandler(
  createPipeline({
    ...context,
    group: fileDocumentRoutes,
    operations: fileDocumentOperations,
    deps: {
      documents: createFileDocumentStore(dynamo, environment.FILE_DOCUMENTS_TABLE),
      ownEntity: createOwnEntity(dynamo, environment.DOWNSTREAM_ENTITIES_TABLE),
      events,
      firstUse: createFirstUse(dynamo, environment.FILE_DOCUMENTS_TABLE, objectStore, events),
      objectStore,
      relationshipAt: createRelationshipAt(dynamo, environment.ASSOCIATIONS_TABLE),
    },
    rateLimiter: createRateLimiter(dynamo, environment.RATE_COUNTERS_TABLE),
    idempotency: createIdempotency(dynamo, environment.IDEMPOTENCY_TABLE),
  }),
  context,
);
