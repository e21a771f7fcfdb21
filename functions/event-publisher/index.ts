import { functionContext } from '../../shared/platform/config/context.ts';
import { readEnvironment } from '../../shared/platform/config/environment.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { createEventBus } from './bus.ts';
import { eventPublisherEnvironment } from './environment.ts';
import { createEventPublisherFunction } from './function.ts';

const environment = readEnvironment(eventPublisherEnvironment);

export const handler = createEventPublisherFunction({
  clients: { dynamo: createDynamoClient(), bus: createEventBus(environment.EVENT_BUS_NAME) },
  tables: { outbox: environment.OUTBOX_TABLE },
  deferredEventsPerSecond: environment.DEFERRED_EVENTS_PER_SECOND,
  context: functionContext('event-publisher', environment),
});
