import { apiEntry } from '../../shared/domain/api-entry.ts';
import { createSecretText } from '../../shared/platform/aws/secret-text.ts';
import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { createSendMessages } from '../../shared/platform/queue/send-messages.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { createDownstreamEntityAssociationsFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = apiEntry('downstream-entity-associations', uses, (common, { queues, values }) =>
  createDownstreamEntityAssociationsFunction({
    ...common,
    clients: {
      ...common.clients,
      linkSecret: createSecretText(createSecretsClient(), values.LINK_SECRET_ARN, common.context.now),
      sendToRegistrySync: createSendMessages(createSqsClient(), queues['registry-sync']),
    },
    agencyAppUrl: values.AGENCY_APP_URL,
  }),
);
