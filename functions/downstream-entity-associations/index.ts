import { started } from '../../shared/domain/variables.ts';
import { createSecretText } from '../../shared/platform/aws/secret-text.ts';
import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { apiContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { createSendMessages } from '../../shared/platform/queue/send-messages.ts';
import { createSqsClient } from '../../shared/platform/queue/sqs.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { createDownstreamEntityAssociationsFunction } from './function.ts';
import { uses } from './uses.ts';

const { queues, tables, values } = started(uses);
const context = apiContext('downstream-entity-associations', values);

export const handler = lambdaHandler(
  createDownstreamEntityAssociationsFunction({
    clients: {
      dynamo: createDynamoClient(),
      linkSecret: createSecretText(createSecretsClient(), values.LINK_SECRET_ARN, context.now),
      sendToRegistrySync: createSendMessages(createSqsClient(), queues['registry-sync']),
    },
    tables,
    agencyAppUrl: values.AGENCY_APP_URL,
    context,
  }),
  context,
);
