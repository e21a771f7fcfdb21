import { apiContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createOwnEntity } from '../../shared/downstream-entities/own-entity.ts';
import { createAttachableFiles } from '../../shared/file-documents/attachable.ts';
import { lambdaObjectStore } from '../../shared/file-documents/lambda-object-store.ts';
import { createUploadEventSteps } from '../../shared/file-documents/told.ts';
import { createFilingStore } from '../../shared/filings/store.ts';
import { createIdempotency } from '../../shared/request/idempotency.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { createRateLimiter } from '../../shared/request/rate-limit.ts';
import { surplusLinesFilingsEnvironment } from './environment.ts';
import { createFilingLists } from './lists.ts';
import { surplusLinesFilingOperations } from './operations.ts';
import { surplusLinesFilingRoutes } from './routes.ts';

const environment = readEnvironment(surplusLinesFilingsEnvironment);
const context = apiContext('surplus-lines-filings', environment);
const dynamo = createDynamoClient();
const objectStore = lambdaObjectStore(environment.FILES_BUCKET);

export const handler = lambdaHandler(
  createPipeline({
    ...context,
    group: surplusLinesFilingRoutes,
    operations: surplusLinesFilingOperations,
    deps: {
      filings: createFilingStore(dynamo, environment.FILINGS_TABLE),
      lists: createFilingLists(dynamo, environment.FILINGS_TABLE),
      files: createAttachableFiles(
        dynamo,
        environment.FILE_DOCUMENTS_TABLE,
        objectStore,
        createUploadEventSteps(environment.OUTBOX_TABLE),
      ),
      objectStore,
      ownEntity: createOwnEntity(dynamo, environment.DOWNSTREAM_ENTITIES_TABLE),
    },
    rateLimiter: createRateLimiter(dynamo, environment.RATE_COUNTERS_TABLE),
    idempotency: createIdempotency(dynamo, environment.IDEMPOTENCY_TABLE),
  }),
  context,
);
