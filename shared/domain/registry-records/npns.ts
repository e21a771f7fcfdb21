import * as z from 'zod/mini';
import { below, present } from '../../platform/data/expressions.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { boundaries, renewalDateAt } from '../license-sweep/jobs.ts';
import {
  changeShard,
  npnOfPartition,
  pollShard,
  registryKeys,
  renewalPartition,
  renewalShard,
  shards,
} from './stored.ts';

/** An NPN that somebody subscribes to. */
export interface SubscribedNpn {
  readonly npn: string;
  /** When the registry was last polled for it; where it never was, since when somebody subscribes. ISO time. */
  readonly since: string;
}

/** The NPNs that anybody subscribes to: one item each, however many subscribe. */
export type SubscribedNpns = ReturnType<typeof createSubscribedNpns>;

const npnItem = storedItem('registry-records/npn', () => ({
  pk: z.string(),
  lastPolledAt: z.optional(z.string()),
}));

/** What the index of polls has of an NPN. */
const polledNpn = storedItem('registry-records/polled-npn', () => ({ pk: z.string(), pollSort: z.string() }));

export function createSubscribedNpns(table: Table<'by-poll' | 'by-renewal'>) {
  return {
    /** Every NPN, page by page; of each shard, the one that was not polled for longest comes first. */
    async *all(): AsyncIterable<readonly SubscribedNpn[]> {
      for (let shard = 0; shard < shards; shard += 1) {
        for await (const found of table.query(polledNpn, pollShard('NPN', shard), { index: 'by-poll' })) {
          yield found.map(({ pk, pollSort }) => ({ npn: npnOfPartition(pk), since: pollSort }));
        }
      }
    },

    /**
     * NPNs that have a license at a boundary of the sweep of a day, or whose compliance may change on it, page by page; one may
     * come several times.
     */
    async *atBoundaryOf(day: CalendarDate): AsyncIterable<readonly string[]> {
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

    /** Those of some NPNs that were not polled since a time. */
    async notPolledSince(npns: readonly string[], time: Date): Promise<readonly string[]> {
      const keys = npns.map((npn) => registryKeys.npn(npn));
      const since = time.toISOString();
      const polled = new Set(
        (await table.getAll(npnItem, keys))
          .filter(({ lastPolledAt }) => lastPolledAt !== undefined && lastPolledAt >= since)
          .map(({ pk }) => npnOfPartition(pk)),
      );
      return npns.filter((npn) => !polled.has(npn));
    },

    /** Records a poll. */
    async polled(npn: string, at: Date): Promise<void> {
      const time = at.toISOString();
      // An NPN of a license that nobody subscribes to is not polled again.
      const isSubscribed = { pollKey: present };
      await table.update(registryKeys.npn(npn), { lastPolledAt: time, pollSort: time }, isSubscribed);
    },

    /** How many NPNs were not polled since a time; of more than some thousands, only these. */
    async countNotPolledSince(time: Date): Promise<number> {
      let count = 0;
      for (let shard = 0; shard < shards; shard += 1) {
        const { items } = await table.page(polledNpn, pollShard('NPN', shard), {
          index: 'by-poll',
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
