import type { FunctionUses } from '../../shared/domain/function-uses.ts';

/** It puts events from the outbox on the bus: as they are written, and what the stream missed. */
export const uses = {
  timeoutSeconds: 300,
  tables: {
    outbox: {
      items: ['BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
      query: ['table', 'unpublished'],
    },
  },
  publishes: true,
  settings: ['DEFERRED_EVENTS_PER_SECOND'],
  stream: {
    table: 'outbox',
    // Only new events, not later updates to them or the counters in the same table. A deferred event is under another key
    // until it is released.
    filter: { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'EVENT#' }] } } } },
    batchSize: 100,
    // Events that still fail stay in the outbox, and the schedule retries them.
    retryAttempts: 5,
  },
  schedules: { republish: { everyMinutes: 5 }, release: { everyMinutes: 1 } },
} as const satisfies FunctionUses;
