import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { linkRedemptionEnvironment } from './environment.ts';
import { createLinkRedemptionFunction } from './function.ts';

const environment = readEnvironment(linkRedemptionEnvironment);

export const handler = createLinkRedemptionFunction({
  clients: { dynamo: createDynamoClient() },
  tables: {
    associations: environment.ASSOCIATIONS_TABLE,
    contacts: environment.CONTACTS_TABLE,
    downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
    oneTimeLinks: environment.ONE_TIME_LINKS_TABLE,
    organizations: environment.ORGANIZATIONS_TABLE,
    outbox: environment.OUTBOX_TABLE,
  },
  context: functionContext('link-redemption', environment),
});
