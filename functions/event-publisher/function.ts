import { createReleases, outboxKeys } from '../../shared/domain/events/stored.ts';
import { eventFunction, type Resources } from '../../shared/domain/function.ts';
import { createPace } from '../../shared/platform/data/pace.ts';
import { createHandler } from './handler.ts';
import { createOutboxStore } from './outbox-store.ts';
import { createEventBus, type EventBus } from './publish.ts';
import { uses } from './uses.ts';

interface OwnResources {
  readonly bus: EventBus;
  /** Deferred events that are published in a second, by all functions together. */
  readonly deferredEventsPerSecond: number;
}

function compose({
  bus,
  tables,
  deferredEventsPerSecond: perSecond,
  context: { logger: log, now },
}: Resources<typeof uses, OwnResources>) {
  return createHandler({
    outbox: createOutboxStore(tables.outbox),
    releases: createReleases(tables.outbox),
    pace: createPace(tables.outbox, outboxKeys.pace(), { perSecond, now }),
    bus,
    now,
    log,
  });
}

/** Publishes the outbox's events: those of its stream, missed ones, and deferred ones. */
export const eventPublisherFunction = eventFunction({
  uses,
  compose,
  resources: ({ values }) => ({
    bus: createEventBus(values.EVENT_BUS_NAME),
    deferredEventsPerSecond: values.DEFERRED_EVENTS_PER_SECOND,
  }),
});
