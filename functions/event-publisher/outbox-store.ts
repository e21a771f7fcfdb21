import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { batchGet } from '../../shared/data/batch-get.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { retryOnConflict, VersionConflict } from '../../shared/data/optimistic-lock.ts';
import { parseStored } from '../../shared/data/stored.ts';
import { type TransactionItem, transact, unconditional } from '../../shared/data/transact.ts';
import {
  type OutboxItem,
  type OutboxType,
  outboxItem,
  outboxKeys,
  unpublishedKey,
} from '../../shared/events/stored.ts';
import { type OutboxKey, oldestKeys } from './oldest-keys.ts';

/** The publisher's access to the outbox. */
export interface OutboxStore {
  /**
   * The event's sequence number among those of its type about its entity, from 1 without gaps; assigned once.
   * Undefined for an event that is published, or deleted.
   */
  assignSequence(item: OutboxItem): Promise<number | undefined>;
  /** Removes the event from the index of unpublished events. */
  markPublished(item: Pick<OutboxItem, 'pk' | 'sk'>, at: Date): Promise<void>;
  /**
   * Keys of unpublished events that came into the stream before then: some of every shard at a time, oldest first. The
   * index lags, so that an event may have been published since. Deferred events are not among them.
   */
  unpublished(before: Date): AsyncIterable<readonly OutboxKey[]>;
  /** The events under these keys that are still unpublished, as they are stored, in the keys' order. */
  findUnpublished(keys: readonly OutboxKey[]): Promise<unknown[]>;
}

const counter = z.object({ last: z.int() });
const published = z.extend(outboxItem, { unpublishedKey: z.optional(z.string()) });

export function createOutboxStore(client: DynamoDBClient, table: string): OutboxStore {
  const numberAssigned = () => new VersionConflict('Another publisher assigned the number first.');

  const numberWrites = (
    item: OutboxItem,
    counterKey: Record<string, string>,
    last: number,
  ): TransactionItem[] => [
    {
      write: {
        Update: {
          TableName: table,
          Key: toItem(counterKey),
          UpdateExpression: 'SET #last = :next',
          ConditionExpression: last === 0 ? 'attribute_not_exists(pk)' : '#last = :last',
          ExpressionAttributeNames: { '#last': 'last' },
          ExpressionAttributeValues: toItem({ ':next': last + 1, ...(last === 0 ? {} : { ':last': last }) }),
        },
      },
      refused: numberAssigned,
    },
    {
      write: {
        Update: {
          TableName: table,
          Key: toItem({ pk: item.pk, sk: item.sk }),
          UpdateExpression: 'SET #sequence = :next',
          ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(#sequence)',
          ExpressionAttributeNames: { '#sequence': 'sequence' },
          ExpressionAttributeValues: toItem({ ':next': last + 1 }),
        },
      },
      refused: numberAssigned,
    },
    // An event with a number has its place among the others, deferred or not.
    ...(item.deferred === true
      ? [
          unconditional({
            Delete: {
              TableName: table,
              Key: toItem(outboxKeys.deferred(item.upstreamEntityId, item.entityId, item.eventId)),
            },
          }),
        ]
      : []),
  ];

  return {
    assignSequence(item) {
      const counterKey = outboxKeys.sequence(item.upstreamEntityId, item.entityId, item.type as OutboxType);
      const eventKey = { pk: item.pk, sk: item.sk };
      return retryOnConflict(async () => {
        const found = await batchGet(client, table, [eventKey, counterKey], { consistent: true });
        const event = found.find(({ sk }) => sk === item.sk);
        const current = parseStored(z.optional(published), event);
        if (current?.unpublishedKey === undefined) return undefined;
        if (current.sequence !== undefined) return current.sequence;
        const stored = found.find(({ sk }) => sk === counterKey.sk);
        const last = parseStored(z.optional(counter), stored)?.last ?? 0;
        await transact(client, numberWrites(item, counterKey, last));
        return last + 1;
      });
    },

    async markPublished({ pk, sk }, at) {
      await client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem({ pk, sk }),
          UpdateExpression: 'SET publishedAt = :at REMOVE unpublishedKey',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: toItem({ ':at': at.toISOString() }),
        }),
      );
    },

    unpublished: (before) => oldestKeys(client, table, unpublishedKey, before),

    async findUnpublished(keys) {
      const found = await batchGet(
        client,
        table,
        keys.map(({ pk, sk }) => ({ pk, sk })),
        { consistent: true },
      );
      const byKey = new Map(found.map((item) => [`${item['pk']} ${item['sk']}`, item]));
      return keys
        .map(({ pk, sk }) => byKey.get(`${pk} ${sk}`))
        .filter((item) => item?.['unpublishedKey'] !== undefined);
    },
  };
}
