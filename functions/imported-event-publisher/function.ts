import type { DynamoDBStreamEvent } from 'aws-lambda';
import { createOutboxStore } from '#domain/publishing/outbox-store.ts';
import { createEventBus, publishChanges } from '#domain/publishing/publish.ts';
import { eventFunction } from '#function/function.ts';
import { uses } from './uses.ts';

/** Publishes the events of imports, as the outbox's stream has them. */
export const importedEventPublisherFunction = eventFunction({
  uses,
  resources: ({ values }) => ({ bus: createEventBus(values.EVENT_BUS_NAME) }),
  compose({ bus, tables, context: { logger: log, now } }) {
    const deps = { outbox: createOutboxStore(tables.outbox), bus, now, log };
    return (event: DynamoDBStreamEvent) => publishChanges(event, deps);
  },
});
