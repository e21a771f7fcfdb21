import { started } from '../../shared/domain/variables.ts';
import { createSecretText } from '../../shared/platform/aws/secret-text.ts';
import { createSecretsClient } from '../../shared/platform/aws/secrets-manager.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { createLinkRedemptionFunction } from './function.ts';
import { uses } from './uses.ts';

const { tables, values } = started(uses);

const context = functionContext('link-redemption', values);

export const handler = createLinkRedemptionFunction({
  clients: {
    dynamo: createDynamoClient(),
    linkSecret: createSecretText(createSecretsClient(), values.LINK_SECRET_ARN, context.now),
  },
  tables,
  context,
});
