import { started } from '../../shared/domain/variables.ts';
import { functionContext } from '../../shared/platform/config/context.ts';
import { createDynamoClient } from '../../shared/platform/data/dynamo.ts';
import { createEventBus } from './bus.ts';
import { createEventPublisherFunction } from './function.ts';
import { uses } from './uses.ts';

const { tables, values } = started(uses);

export const handler = createEventPublisherFunction({
  clients: { dynamo: createDynamoClient(), bus: createEventBus(values.EVENT_BUS_NAME) },
  tables,
  deferredEventsPerSecond: values.DEFERRED_EVENTS_PER_SECOND,
  context: functionContext('event-publisher', values),
});
