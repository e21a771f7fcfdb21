import * as z from 'zod/mini';
import { below, present } from '../../platform/data/expressions.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
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

/** What the index of visits has of an NPN. */
const visitedNpn = storedItem('registry-records/visited-npn', () => ({
  pk: z.string(),
  visitSort: z.string(),
}));

export function createSubscribedNpns(table: Table<'by-visit' | 'by-renewal'>): SubscribedNpns {
  return {
    async *all() {
      for (let shard = 0; shard < shards; shard += 1) {
        for await (const found of table.query(visitedNpn, visitShard('NPN', shard), { index: 'by-visit' })) {
          yield found.map(({ pk, visitSort }) => ({ npn: npnOfPartition(pk), since: visitSort }));
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
          for await (const keys of table.keys(renewalPartition(partition))) {
            yield keys.map(({ pk }) => npnOfPartition(pk));
          }
        }
      }
    },

    async notVisitedSince(npns, time) {
      const keys = npns.map((npn) => registryKeys.npn(npn));
      const since = time.toISOString();
      const visited = new Set(
        (await table.getAll(npnItem, keys))
          .filter(({ lastVisitedAt }) => lastVisitedAt !== undefined && lastVisitedAt >= since)
          .map(({ pk }) => npnOfPartition(pk)),
      );
      return npns.filter((npn) => !visited.has(npn));
    },

    async visited(npn, at) {
      const time = at.toISOString();
      // An NPN of a license that nobody subscribes to is not visited again.
      const isSubscribed = { visitKey: present };
      await table.update(registryKeys.npn(npn), { lastVisitedAt: time, visitSort: time }, isSubscribed);
    },

    async countNotVisitedSince(time) {
      let count = 0;
      for (let shard = 0; shard < shards; shard += 1) {
        const { items } = await table.page(visitedNpn, visitShard('NPN', shard), {
          index: 'by-visit',
          sort: below(time.toISOString()),
          limit: mostCounted,
        });
        count += items.length;
      }
      return count;
    },
  };
}

/** NPNs of a shard that are counted: an alarm needs to know that there are some. */
const mostCounted = 500;
