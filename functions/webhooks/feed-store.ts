import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import {
  type FeedCounter,
  type FeedEntry,
  feedCounter,
  feedEntry,
  feedKeys,
} from '../../shared/domain/events/feed.ts';
import { type OutboxItem, outboxItem, outboxKeys } from '../../shared/domain/events/stored.ts';
import { batchGet } from '../../shared/platform/data/batch-get.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { getItem } from '../../shared/platform/data/get-item.ts';
import { parseStored, parseStoredOrError, type StoredItemError } from '../../shared/platform/data/stored.ts';

/** Events by id; one that is missing was deleted. */
export type FeedEvents = ReadonlyMap<string, OutboxItem | StoredItemError>;

/** Organizations' feeds of events. Reads see every earlier write. */
export interface FeedStore {
  /** What is known of an organization's positions; undefined while it has none. */
  counter(owner: string): Promise<FeedCounter | undefined>;
  /** The entries at positions of one partition, both ends included, in order; one that is not written yet is missing. */
  entries(owner: string, from: number, to: number): Promise<FeedEntry[]>;
  /** The events of entries. */
  events(owner: string, entries: readonly FeedEntry[]): Promise<FeedEvents>;
}

export const createFeedStore = (client: DynamoDBClient, table: string): FeedStore => ({
  counter: (owner) => getItem(client, table, feedKeys.counter(owner), feedCounter, { consistent: true }),

  async entries(owner, from, to) {
    const [first, last] = [feedKeys.entry(owner, from), feedKeys.entry(owner, to)];
    // A partition's entries are far below the megabyte of a page.
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: toItem({ ':pk': first.pk, ':from': first.sk, ':to': last.sk }),
        ConsistentRead: true,
      }),
    );
    return Items.map((item) => parseStored(feedEntry, unmarshall(item)));
  },

  async events(owner, entries) {
    const keys = entries.map(({ entityId, eventId }) => outboxKeys.event(owner, entityId, eventId));
    const found = await batchGet(client, table, keys, { consistent: true });
    return new Map(found.map((item) => [String(item['eventId']), parseStoredOrError(outboxItem, item)]));
  },
});
