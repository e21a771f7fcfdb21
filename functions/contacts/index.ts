import { apiContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { lambdaHandler } from '../../shared/platform/request/lambda.ts';
import { contactsEnvironment } from './environment.ts';
import { createContactsFunction } from './function.ts';

const environment = readEnvironment(contactsEnvironment);
const context = apiContext('contacts', environment);

export const handler = lambdaHandler(
  createContactsFunction({
    clients: { dynamo: createDynamoClient() },
    tables: {
      contacts: environment.CONTACTS_TABLE,
      associations: environment.ASSOCIATIONS_TABLE,
      downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
      idempotency: environment.IDEMPOTENCY_TABLE,
      rateCounters: environment.RATE_COUNTERS_TABLE,
    },
    context,
  }),
  context,
);
