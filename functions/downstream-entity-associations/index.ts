import { apiEntry } from '../../shared/domain/api-entry.ts';
import { importedLater } from '../../shared/platform/config/imported-later.ts';
import { createDownstreamEntityAssociationsFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('downstream-entity-associations', uses, (common, { queues, values }) =>
  createDownstreamEntityAssociationsFunction({
    ...common,
    clients: {
      ...common.clients,
      linkSecret: importedLater(async () => {
        const { createSecretText } = await import('../../shared/platform/config/secret-text.ts');
        return createSecretText(values.LINK_SECRET_ARN, common.context.now);
      }, 'current'),
      ...importedLater(async () => {
        const { createSendMessages } = await import('../../shared/platform/queue/send-messages.ts');
        return { sendToRegistrySync: createSendMessages(queues['registry-sync']) };
      }, 'sendToRegistrySync'),
    },
    agencyAppUrl: values.AGENCY_APP_URL,
  }),
);
