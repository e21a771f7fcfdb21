import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { batchGet } from '../../platform/data/batch-get.ts';
import { keyPages } from '../../platform/data/common-keys.ts';
import { conditionHeld } from '../../platform/data/condition-held.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { queryPages } from '../../platform/data/query-pages.ts';
import { parseStored, storedItem } from '../../platform/data/stored.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { boundaries, renewalDateAt } from '../license-sweep/jobs.ts';
import {
  changeShard,
  npnOfPartition,
  registryKeys,
  renewalPartition,
  renewalShard,
  shards,
  visitShard,
} from './stored.ts';

/** An NPN that somebody subscribes to. */
export interface SubscribedNpn {
  readonly npn: string;
  /** When the registry was last visited for it; where it never was, since when somebody subscribes. ISO time. */
  readonly since: string;
}

/** The NPNs that anybody subscribes to: one item each, however many subscribe. */
export interface SubscribedNpns {
  /** Every NPN, page by page; of each shard, the one that was not visited for longest comes first. */
  all(): AsyncIterable<readonly SubscribedNpn[]>;
  /**
   * NPNs that have a license at a boundary of the sweep of a day, or whose compliance may change on it, page by page; one may
   * come several times.
   */
  atBoundaryOf(day: CalendarDate): AsyncIterable<readonly string[]>;
  /** Those of some NPNs that were not visited since a time. */
  notVisitedSince(npns: readonly string[], time: Date): Promise<readonly string[]>;
  /** Records a visit. */
  visited(npn: string, at: Date): Promise<void>;
  /** How many NPNs were not visited since a time; of more than some thousands, only these. */
  countNotVisitedSince(time: Date): Promise<number>;
}

const npnItem = storedItem('registry-records/npn', () => ({
  pk: z.string(),
  lastVisitedAt: z.optional(z.string()),
}));

export function createSubscribedNpns(client: DynamoDBClient, table: string): SubscribedNpns {
  const shardQuery = (shard: number) => ({
    TableName: table,
    IndexName: 'by-visit',
    KeyConditionExpression: 'visitKey = :shard',
    ExpressionAttributeValues: toItem({ ':shard': visitShard('NPN', shard) }),
  });

  return {
    async *all() {
      for (let shard = 0; shard < shards; shard += 1) {
        for await (const items of queryPages(client, shardQuery(shard))) {
          yield items.map(({ pk, visitSort }) => ({
            npn: npnOfPartition(pk?.S ?? ''),
            since: visitSort?.S ?? '',
          }));
        }
      }
    },

    async *atBoundaryOf(day) {
      for (let shard = 0; shard < shards; shard += 1) {
        const partitions = [
          ...boundaries.map((boundary) => renewalShard(renewalDateAt(boundary, day), shard)),
          changeShard(day, shard),
        ];
        for (const partition of partitions) {
          for await (const keys of keyPages(client, table, renewalPartition(partition))) {
            yield keys.map(({ pk }) => npnOfPartition(pk));
          }
        }
      }
    },

    async notVisitedSince(npns, time) {
      const keys = npns.map((npn) => registryKeys.npn(npn));
      const items = await batchGet(client, table, keys, { consistent: true });
      const since = time.toISOString();
      const visited = new Set(
        items
          .map((item) => parseStored(npnItem, item))
          .filter(({ lastVisitedAt }) => lastVisitedAt !== undefined && lastVisitedAt >= since)
          .map(({ pk }) => npnOfPartition(pk)),
      );
      return npns.filter((npn) => !visited.has(npn));
    },

    async visited(npn, at) {
      const update = new UpdateItemCommand({
        TableName: table,
        Key: toItem(registryKeys.npn(npn)),
        UpdateExpression: 'SET lastVisitedAt = :at, visitSort = :at',
        // An NPN of a license that nobody subscribes to is not visited again.
        ConditionExpression: 'attribute_exists(visitKey)',
        ExpressionAttributeValues: toItem({ ':at': at.toISOString() }),
      });
      await conditionHeld(client.send(update));
    },

    async countNotVisitedSince(time) {
      let count = 0;
      for (let shard = 0; shard < shards; shard += 1) {
        const query = {
          ...shardQuery(shard),
          KeyConditionExpression: 'visitKey = :shard AND visitSort < :time',
          ExpressionAttributeValues: toItem({
            ':shard': visitShard('NPN', shard),
            ':time': time.toISOString(),
          }),
          Limit: mostCounted,
        };
        for await (const items of queryPages(client, query)) {
          count += items.length;
          break;
        }
      }
      return count;
    },
  };
}

/** NPNs of a shard that are counted: an alarm needs to know that there are some. */
const mostCounted = 500;
