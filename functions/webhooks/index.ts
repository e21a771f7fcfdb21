import { apiEntry } from '../../shared/domain/api-entry.ts';
import { createDrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { createDataKeys, createKmsClient } from '../../shared/platform/crypto/data-keys.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createWebhooksFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('webhooks', uses, ({ clients, ...common }, { queues, values }) =>
  createWebhooksFunction({
    ...common,
    clients: {
      ...clients,
      dataKeys: createDataKeys(createKmsClient(), values.WEBHOOK_KEY_ARN),
      queues: createDrainQueues(createSqsClient(), queues),
    },
    addressRules: { loopback: values.ALLOW_LOOPBACK_RECEIVERS === 'yes' },
  }),
);
