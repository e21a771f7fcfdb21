import { started } from '../../shared/domain/variables.ts';
import { createDrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { createDataKeys, createKmsClient } from '../../shared/platform/crypto/data-keys.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { createWebhooksFunction } from './function.ts';
import { uses } from './uses.ts';

const { queues, tables, values } = started(uses);
const context = apiContext('webhooks', values);

export const handler = lambdaHandler(
  createWebhooksFunction({
    clients: {
      dynamo: createDynamoClient(),
      dataKeys: createDataKeys(createKmsClient(), values.WEBHOOK_KEY_ARN),
      queues: createDrainQueues(createSqsClient(), {
        healthy: queues['deliveries-healthy'],
        failing: queues['deliveries-failing'],
      }),
    },
    tables,
    addressRules: { loopback: values.ALLOW_LOOPBACK_RECEIVERS === 'yes' },
    context,
  }),
  context,
);
