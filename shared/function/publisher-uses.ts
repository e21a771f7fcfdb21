import { eventPrefix } from '#domain/events/stored.ts';
import type { StreamMapping, TableUse } from './uses.ts';

/** Uses of the outbox by a publisher. */
export const publisherTables = {
  outbox: { items: ['BatchGetItem', 'BatchWriteItem', 'PutItem', 'UpdateItem'], query: ['table'] },
} as const satisfies { readonly outbox: TableUse };

/**
 * The stream of the outbox as a publisher reads it: new events, and no other item of the table. Those of imports have a reader of
 * their own, so that no other event waits behind them; more than two a stream does not serve (`streamReaders`).
 */
export const publisherStream = ({ ofImports }: { readonly ofImports: boolean }) =>
  ({
    table: 'outbox',
    filters: [
      {
        eventName: ['INSERT'],
        dynamodb: {
          Keys: { sk: { S: [{ prefix: eventPrefix }] } },
          NewImage: { isImported: { BOOL: [{ exists: ofImports }] } },
        },
      },
    ],
    batchSize: 100,
    // The stream itself waits out an outage of the bus or the table. What it gives up on stays in the outbox, for the schedule.
    retryForHours: 12,
  }) as const satisfies StreamMapping & { readonly table: 'outbox' };
