import type { DynamoDBStreamEvent } from 'aws-lambda';
import { createOutboxStore } from '#domain/publishing/outbox-store.ts';
import { createEventBus, type EventBus, publishChanges } from '#domain/publishing/publish.ts';
import { eventFunction, type Resources } from '#function/function.ts';
import { uses } from './uses.ts';

function compose({
  bus,
  tables,
  context: { logger: log, now },
}: Resources<typeof uses, { readonly bus: EventBus }>) {
  const deps = { outbox: createOutboxStore(tables.outbox), bus, now, log };
  return (event: DynamoDBStreamEvent) => publishChanges(event, deps);
}

/** Publishes the events of imports, as the outbox's stream has them. */
export const importedEventPublisherFunction = eventFunction({
  uses,
  compose,
  resources: ({ values }) => ({ bus: createEventBus(values.EVENT_BUS_NAME) }),
});
