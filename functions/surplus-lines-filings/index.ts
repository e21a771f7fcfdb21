import { lambdaObjectStore } from '../../shared/domain/file-documents/lambda-object-store.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { surplusLinesFilingsEnvironment } from './environment.ts';
import { createSurplusLinesFilingsFunction } from './function.ts';

const environment = readEnvironment(surplusLinesFilingsEnvironment);
const context = apiContext('surplus-lines-filings', environment);

export const handler = lambdaHandler(
  createSurplusLinesFilingsFunction({
    clients: {
      dynamo: createDynamoClient(),
      objectStore: lambdaObjectStore(environment.FILES_BUCKET, environment.MALWARE_SCAN),
    },
    tables: {
      filings: environment.FILINGS_TABLE,
      fileDocuments: environment.FILE_DOCUMENTS_TABLE,
      downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
      outbox: environment.OUTBOX_TABLE,
      idempotency: environment.IDEMPOTENCY_TABLE,
      rateCounters: environment.RATE_COUNTERS_TABLE,
    },
    context,
  }),
  context,
);
