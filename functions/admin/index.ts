import { lambdaObjectStore } from '../../shared/domain/file-documents/lambda-object-store.ts';
import { createRegistry } from '../../shared/domain/registry/create.ts';
import { started } from '../../shared/domain/variables.ts';
import { createSecretText } from '../../shared/platform/aws/secret-text.ts';
import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createAdminFunction } from './function.ts';
import { uses } from './uses.ts';

const { tables, values } = started(uses);
const context = functionContext('admin', values);
const dynamo = createDynamoClient();

export const handler = createAdminFunction({
  clients: {
    dynamo,
    linkSecret: createSecretText(createSecretsClient(), values.LINK_SECRET_ARN, context.now),
    objectStore: lambdaObjectStore(values.FILES_BUCKET, values.MALWARE_SCAN),
    registry: createRegistry(values, { dynamo, now: context.now }),
    sqs: createSqsClient(),
  },
  tables,
  registryAddress: values.REGISTRY_ADDRESS,
  queues: values.QUEUES,
  visitsPerSecond: values.REGISTRY_VISITS_PER_SECOND,
  allowsFutureAsOf: values.ALLOW_FUTURE_AS_OF === 'yes',
  context,
});
