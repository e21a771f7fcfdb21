import { apiContext } from '../../shared/config/context.ts';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createContactStore } from '../../shared/contacts/store.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createOwnEntity } from '../../shared/downstream-entities/own-entity.ts';
import { createIdempotency } from '../../shared/request/idempotency.ts';
import { lambdaHandler } from '../../shared/request/lambda.ts';
import { createPipeline } from '../../shared/request/pipeline.ts';
import { createRateLimiter } from '../../shared/request/rate-limit.ts';
import { contactsEnvironment } from './environment.ts';
import { contactOperations } from './operations.ts';
import { contactRoutes } from './routes.ts';
import { createAgencyLists, createCarrierRelations } from './store.ts';

const environment = readEnvironment(contactsEnvironment);
const context = apiContext('contacts', environment);
const dynamo = createDynamoClient();
const tables = {
  contacts: environment.CONTACTS_TABLE,
  associations: environment.ASSOCIATIONS_TABLE,
  downstreamEntities: environment.DOWNSTREAM_ENTITIES_TABLE,
};

export const handler = lambdaHandler(
  createPipeline({
    ...context,
    group: contactRoutes,
    operations: contactOperations,
    deps: {
      contacts: createContactStore(dynamo, tables.contacts),
      relations: createCarrierRelations(dynamo, tables),
      lists: createAgencyLists(dynamo, tables),
      ownEntity: createOwnEntity(dynamo, tables.downstreamEntities),
    },
    rateLimiter: createRateLimiter(dynamo, environment.RATE_COUNTERS_TABLE),
    idempotency: createIdempotency(dynamo, environment.IDEMPOTENCY_TABLE),
  }),
  context,
);
