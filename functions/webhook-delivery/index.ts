import { functionEntry } from '../../shared/domain/entry.ts';
import { createDrainQueues } from '../../shared/domain/webhooks/drain-queues.ts';
import { importedLater } from '../../shared/platform/config/imported-later.ts';
import { createDataKeys } from '../../shared/platform/crypto/data-keys.ts';
import { queueContext } from '../../shared/platform/queue/context.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createWebhookDeliveryFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = functionEntry(
  'webhook-delivery',
  uses,
  ({ clients, ...common }, { queues, values }) => {
    const sqs = createSqsClient();
    return createWebhookDeliveryFunction({
      ...common,
      clients: {
        ...clients,
        dataKeys: createDataKeys(values.WEBHOOK_KEY_ARN),
        queues: createDrainQueues(queues, sqs),
        roles: importedLater(
          async () => (await import('../../shared/domain/webhooks/role-sessions.ts')).createRoleSessions(),
          'assume',
        ),
      },
      addressRules: { loopback: values.ALLOW_LOOPBACK_RECEIVERS === 'yes' },
      queue: queueContext(sqs, values),
    });
  },
);
