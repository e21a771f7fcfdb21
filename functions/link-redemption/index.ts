import { started } from '../../shared/domain/variables.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { createLinkRedemptionFunction } from './function.ts';
import { uses } from './uses.ts';

const { tables, values } = started(uses);

export const handler = createLinkRedemptionFunction({
  clients: { dynamo: createDynamoClient() },
  tables,
  context: functionContext('link-redemption', values),
});
