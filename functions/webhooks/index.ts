import { apiEntry } from '../../shared/domain/api-entry.ts';
import { importedLater } from '../../shared/platform/config/imported-later.ts';
import { createWebhooksFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('webhooks', uses, ({ clients, ...common }, { queues, values }) =>
  createWebhooksFunction({
    ...common,
    clients: {
      ...clients,
      dataKeys: importedLater(
        async () => {
          const { createKmsClient } = await import('../../shared/platform/aws/kms.ts');
          const { createDataKeys } = await import('../../shared/platform/crypto/data-keys.ts');
          return createDataKeys(createKmsClient(), values.WEBHOOK_KEY_ARN);
        },
        'generate',
        'decrypt',
      ),
      queues: importedLater(async () => {
        const { createSqsClient } = await import('../../shared/platform/queue/sqs.ts');
        const { createDrainQueues } = await import('../../shared/domain/webhooks/drain-queues.ts');
        return createDrainQueues(createSqsClient(), queues);
      }, 'send'),
      roles: importedLater(
        async () => (await import('../../shared/domain/webhooks/role-sessions.ts')).createRoleSessions(),
        'assume',
      ),
    },
    addressRules: { loopback: values.ALLOW_LOOPBACK_RECEIVERS === 'yes' },
  }),
);
