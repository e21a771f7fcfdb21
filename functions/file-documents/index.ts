import { lambdaObjectStore } from '../../shared/domain/file-documents/lambda-object-store.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { fileDocumentsEnvironment } from './environment.ts';
import { createFileDocumentsFunction } from './function.ts';

const environment = readEnvironment(fileDocumentsEnvironment);
const context = apiContext('file-documents', environment);

export const handler = lambdaHandler(
  createFileDocumentsFunction({
    clients: {
      dynamo: createDynamoClient(),
      objectStore: lambdaObjectStore(environment.FILES_BUCKET, environment.MALWARE_SCAN),
    },
    tables: {
      associations: environment.ASSOCIATIONS_TABLE,
      downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
      fileDocuments: environment.FILE_DOCUMENTS_TABLE,
      outbox: environment.OUTBOX_TABLE,
      idempotency: environment.IDEMPOTENCY_TABLE,
      rateCounters: environment.RATE_COUNTERS_TABLE,
    },
    context,
  }),
  context,
);
