import { Logger } from '@aws-lambda-powertools/logger';
import { readEnvironment } from '../../shared/config/environment.ts';
import { createDynamoClient } from '../../shared/data/dynamo.ts';
import type { Log } from '../../shared/log/log.ts';
import { toError } from '../../shared/log/to-error.ts';
import { createEventBus } from './bus.ts';
import { eventPublisherEnvironment } from './environment.ts';
import { createHandler } from './handler.ts';
import { createOutboxStore } from './outbox-store.ts';

const environment = readEnvironment(eventPublisherEnvironment);
const logger: Log = new Logger({ serviceName: 'event-publisher', environment: environment.ENVIRONMENT });

export const handler = createHandler({
  outbox: createOutboxStore(createDynamoClient(), environment.OUTBOX_TABLE),
  bus: createEventBus(environment.EVENT_BUS_NAME),
  now: () => new Date(),
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
  onDone: (run) => logger.info('A run of the publisher is done.', { event: 'events_published', ...run }),
});
