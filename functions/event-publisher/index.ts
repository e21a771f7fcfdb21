import { Logger } from '@aws-lambda-powertools/logger';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import { createPace } from '../../shared/data/pace.ts';
import { outboxKeys } from '../../shared/events/stored.ts';
import type { Log } from '../../shared/log/log.ts';
import { toError } from '../../shared/log/to-error.ts';
import { createEventBus } from './bus.ts';
import { createDeferredStore } from './deferred-store.ts';
import { eventPublisherEnvironment } from './environment.ts';
import { createHandler } from './handler.ts';
import { createOutboxStore } from './outbox-store.ts';

const environment = readEnvironment(eventPublisherEnvironment);
const logger: Log = new Logger({ serviceName: 'event-publisher', environment: environment.ENVIRONMENT });

const dynamo = createDynamoClient();
const now = () => new Date();

export const handler = createHandler({
  outbox: createOutboxStore(dynamo, environment.OUTBOX_TABLE),
  deferred: createDeferredStore(dynamo, environment.OUTBOX_TABLE),
  pace: createPace(dynamo, environment.OUTBOX_TABLE, outboxKeys.pace(), {
    perSecond: environment.DEFERRED_EVENTS_PER_SECOND,
    now,
  }),
  bus: createEventBus(environment.EVENT_BUS_NAME),
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
  onNotReleased: (error) =>
    logger.error('A deferred event was not released; it still waits.', {
      event: 'event_not_released',
      error: toError(error),
    }),
  onReleased: (done) =>
    logger.info('Deferred events were released.', { event: 'deferred_events_released', ...done }),
  onDeferredLate: (done) =>
    logger.warn('Deferred events have waited too long.', { event: 'deferred_events_late', ...done }),
  onDone: (run) => logger.info('A run of the publisher is done.', { event: 'events_published', ...run }),
});
