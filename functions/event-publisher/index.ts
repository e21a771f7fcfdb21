import { functionEntry } from '../../shared/domain/entry.ts';
import { createEventBus } from './bus.ts';
import { createEventPublisherFunction } from './function.ts';
import { uses } from './uses.ts';

export const handler = functionEntry('event-publisher', uses, ({ clients, ...common }, { values }) =>
  createEventPublisherFunction({
    ...common,
    clients: { ...clients, bus: createEventBus(values.EVENT_BUS_NAME) },
    deferredEventsPerSecond: values.DEFERRED_EVENTS_PER_SECOND,
  }),
);
