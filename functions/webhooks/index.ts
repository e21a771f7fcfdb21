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
          const { createDataKeys } = await import('../../shared/platform/crypto/data-keys.ts');
          return createDataKeys(values.WEBHOOK_KEY_ARN);
        },
        'generate',
        'decrypt',
      ),
      queues: importedLater(async () => {
        const { createDrainQueues } = await import('../../shared/domain/webhooks/drain-queues.ts');
        return createDrainQueues(queues);
      }, 'send'),
      roles: importedLater(
        async () => (await import('../../shared/domain/webhooks/role-sessions.ts')).createRoleSessions(),
        'assume',
      ),
    },
    addressRules: { loopback: values.ALLOW_LOOPBACK_RECEIVERS === 'yes' },
  }),
);
