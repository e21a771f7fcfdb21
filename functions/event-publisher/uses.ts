import { releaseAsked } from '../../shared/domain/events/stored.ts';
import type { FunctionUses } from '../../shared/domain/function-uses.ts';

/** It puts events from the outbox on the bus: as they are written, and what the stream missed. */
export const uses = {
  timeoutSeconds: 300,
  tables: {
    outbox: { items: ['BatchGetItem', 'BatchWriteItem', 'PutItem', 'UpdateItem'], query: ['table'] },
  },
  publishes: true,
  settings: ['DEFERRED_EVENTS_PER_SECOND'],
  stream: {
    table: 'outbox',
    filters: [
      // Only new events, and no other item of the same table. Deferred ones wait for their slot.
      {
        eventName: ['INSERT'],
        dynamodb: {
          Keys: { sk: { S: [{ prefix: 'EVENT#' }] } },
          NewImage: { deferred: { BOOL: [{ exists: false }] } },
        },
      },
      releaseAsked,
    ],
    batchSize: 100,
    // Events that still fail stay in the outbox, and the schedule retries them.
    retryAttempts: 5,
  },
  schedules: { republish: { everyMinutes: 5 }, release: { everyMinutes: 1 } },
} as const satisfies FunctionUses;
