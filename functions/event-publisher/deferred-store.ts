import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import {
  deferredKey,
  deferredPrefix,
  type OutboxItem,
  outboxItem,
  outboxKeys,
  shardOf,
  unpublishedKey,
} from '../../shared/domain/events/stored.ts';
import { EventAlreadyEmitted } from '../../shared/domain/events/transaction-items.ts';
import { batchGet } from '../../shared/platform/data/batch-get.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { conditionHeld } from '../../shared/platform/data/condition-held.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { queryPages } from '../../shared/platform/data/query-pages.ts';
import { parseStored, storedItem } from '../../shared/platform/data/stored.ts';
import { transact } from '../../shared/platform/data/transact.ts';
import { type OutboxKey, oldestKeys } from './oldest-keys.ts';

/**
 * Events that wait for their turn. A deferred event lies beside its entity's events, under a sort key that the table's stream
 * passes by, and becomes one of them when it is released: from then on it goes the way of all events. What it was before
 * remains, without content, until the event has its number, so that a later event about the entity finds those that precede it
 * and `sequence` follows the order of the changes.
 */
export interface DeferredStore {
  /**
   * Keys of deferred events: some of every shard at a time, oldest first. The index lags, so that an event may have been
   * released since.
   */
  waiting(before: Date): AsyncIterable<readonly OutboxKey[]>;
  /**
   * Releases an event, as it is stored, into the table's stream; one that was released before stays as it is.
   * @param at when it comes into the stream.
   */
  release(item: unknown, at: Date): Promise<void>;
  /**
   * The events about an entity that occurred before then, were deferred, and have no number yet, in their order. Those that
   * were waiting are released.
   */
  takeEarlier(pk: string, before: string, at: Date): Promise<OutboxItem[]>;
}

const deferredEvent = storedItem(
  'outbox/deferred-event',
  z.looseObject({
    pk: z.string(),
    sk: z.string(),
    eventId: z.string(),
    upstreamEntityId: z.string(),
    entityId: z.string(),
    occurredAt: z.string(),
    /** Present while it waits. */
    unpublishedKey: z.optional(z.string()),
  }),
);

type DeferredEvent = z.output<typeof deferredEvent>;

const keyOf = ({ upstreamEntityId, entityId, eventId }: DeferredEvent) =>
  outboxKeys.event(upstreamEntityId, entityId, eventId);

/** Another worker has released the event since it was read. */
class AlreadyReleased extends Error {}

export function createDeferredStore(client: DynamoDBClient, table: string): DeferredStore {
  async function releaseOne(event: DeferredEvent, at: Date): Promise<void> {
    const Key = toItem({ pk: event.pk, sk: event.sk });
    const isWaiting = 'attribute_exists(unpublishedKey)';
    try {
      await transact(client, [
        {
          write: {
            Update: {
              TableName: table,
              Key,
              UpdateExpression: 'REMOVE unpublishedKey, payload',
              ConditionExpression: isWaiting,
            },
          },
          refused: () => new AlreadyReleased(),
        },
        {
          write: {
            Put: {
              TableName: table,
              Item: toItem({
                ...event,
                ...keyOf(event),
                createdAt: at.toISOString(),
                unpublishedKey: unpublishedKey(shardOf(event.pk)),
              }),
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
          refused: () => new EventAlreadyEmitted(),
        },
      ]);
    } catch (error) {
      if (error instanceof AlreadyReleased) return;
      if (!(error instanceof EventAlreadyEmitted)) throw error;
      // A later attempt of the same import emitted it again, under its derived id, after it had its number.
      const remove = new DeleteItemCommand({ TableName: table, Key, ConditionExpression: isWaiting });
      await conditionHeld(client.send(remove));
    }
  }

  return {
    waiting: (before) => oldestKeys(client, table, deferredKey, before),

    release: (item, at) => releaseOne(parseStored(deferredEvent, item), at),

    async takeEarlier(pk, before, at) {
      const query = {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :deferred)',
        ExpressionAttributeValues: toItem({ ':pk': pk, ':deferred': deferredPrefix }),
      };
      // One that cannot be read must not hold up the entity's events; those who release it or read the stream report it.
      const earlier = (await collect(queryPages(client, query)))
        .flatMap((item) => z.safeParse(deferredEvent, unmarshall(item)).data ?? [])
        .filter(({ occurredAt }) => occurredAt < before)
        .sort((one, other) => (one.occurredAt < other.occurredAt ? -1 : 1));
      for (const event of earlier) if (event.unpublishedKey !== undefined) await releaseOne(event, at);
      const found = await batchGet(client, table, earlier.map(keyOf), { consistent: true });
      const byId = new Map(found.map((item) => [item['eventId'], item]));
      return earlier.flatMap(({ eventId }) => z.safeParse(outboxItem, byId.get(eventId)).data ?? []);
    },
  };
}
