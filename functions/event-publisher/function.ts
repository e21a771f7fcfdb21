import { createOutboxStore } from '#domain/publishing/outbox-store.ts';
import { createEventBus, type EventBus } from '#domain/publishing/publish.ts';
import { eventFunction, type Resources } from '#function/function.ts';
import { createHandler } from './handler.ts';
import { uses } from './uses.ts';

const compose = ({
  bus,
  tables,
  context: { logger: log, now },
}: Resources<typeof uses, { readonly bus: EventBus }>) =>
  createHandler({ outbox: createOutboxStore(tables.outbox), bus, now, log });

/** Publishes the outbox's events: those of its stream that are of no import, and whatever was missed. */
export const eventPublisherFunction = eventFunction({
  uses,
  compose,
  resources: ({ values }) => ({ bus: createEventBus(values.EVENT_BUS_NAME) }),
});
