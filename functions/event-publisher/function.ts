import { createReleases, outboxKeys } from '../../shared/domain/events/stored.ts';
import { eventFunction, type Resources } from '../../shared/domain/function.ts';
import { createPace } from '../../shared/platform/data/pace.ts';
import { toError } from '../../shared/platform/log/log.ts';
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
  context: { logger, now },
}: Resources<typeof uses, OwnResources>) {
  return createHandler({
    outbox: createOutboxStore(tables.outbox),
    releases: createReleases(tables.outbox),
    pace: createPace(tables.outbox, outboxKeys.pace(), { perSecond, now }),
    bus,
    now,
    onFailure: ({ eventId, type }, error) =>
      logger.error('An event was not published; it stays in the outbox.', {
        event: 'event_not_published',
        eventId,
        eventType: type,
        error: toError(error),
      }),
    onRefusal: ({ eventId, type, upstreamEntityId, entityId }, reason) =>
      logger.error('The bus cannot accept an event as it is; it stays in the outbox.', {
        event: 'event_refused',
        eventId,
        eventType: type,
        upstreamEntityId,
        entityId,
        reason,
      }),
    onUnreadable: (faults) =>
      logger.error('An item of the outbox does not match its schema.', {
        event: 'outbox_item_unreadable',
        faults,
      }),
    onRepublished: (done) =>
      logger.warn('Events that the stream missed were published.', { event: 'events_republished', ...done }),
    onReleaseFailed: (error) =>
      logger.warn('Deferred events wait for the schedule.', {
        event: 'release_failed',
        error: toError(error),
      }),
    onReleased: (done) =>
      logger.info('Deferred events were released.', { event: 'deferred_events_released', ...done }),
    onDeferredLate: (done) =>
      logger.warn('Deferred events have waited too long.', { event: 'deferred_events_late', ...done }),
    onDone: (run) => logger.info('A run of the publisher is done.', { event: 'events_published', ...run }),
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
