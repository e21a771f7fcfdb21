import { lambdaObjectStore } from '../../shared/domain/file-documents/lambda-object-store.ts';
import { started } from '../../shared/domain/variables.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { createFileDocumentsFunction } from './function.ts';
import { uses } from './uses.ts';

const { tables, values } = started(uses);
const context = apiContext('file-documents', values);

export const handler = lambdaHandler(
  createFileDocumentsFunction({
    clients: {
      dynamo: createDynamoClient(),
      objectStore: lambdaObjectStore(values.FILES_BUCKET, values.MALWARE_SCAN),
    },
    tables,
    context,
  }),
  context,
);
