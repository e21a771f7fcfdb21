import * as z from 'zod/mini';
import { absentOr, atMost, below, present } from '../../platform/data/expressions.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import type { CalendarDate } from '../../platform/dates/calendar.ts';
import { boundaries, renewalDateAt } from '../decision/renewal.ts';
import { nameNpn } from './poll-items.ts';
import {
  changeShard,
  npnOfPartition,
  type PollReason,
  pollReasons,
  pollShard,
  registryKeys,
  renewalPartition,
  renewalShard,
  shardOf,
  shards,
} from './stored.ts';

/** An NPN that somebody subscribes to. */
export interface SubscribedNpn {
  readonly npn: string;
  /** When the registry was last polled for it, it was named since, or, where it never was polled, somebody subscribed. ISO time. */
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
    /** The NPNs of a shard that wait for the same reason, page by page; the one that waits for longest comes first. */
    async *waiting(reason: PollReason, shard: number): AsyncIterable<readonly SubscribedNpn[]> {
      for await (const found of table.query(polledNpn, pollShard(reason, shard), { index: 'by-poll' })) {
        yield found.map(({ pk, pollSort }) => ({ npn: npnOfPartition(pk), since: pollSort }));
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

    /** Has an NPN polled in the next reconciliation. */
    named: (npn: string, at: Date) => nameNpn(table, npn, at),

    /** Records a poll that began at a time. It does not serve for what changed since. */
    async polled(npn: string, at: Date): Promise<void> {
      const time = at.toISOString();
      const changes = { lastPolledAt: time, pollSort: time, pollKey: pollShard('NPN', shardOf(npn)) };
      // An NPN of a license that nobody subscribes to is not polled again.
      const isSubscribed = { pollKey: present };
      await table.update(registryKeys.npn(npn), changes, {
        ...isSubscribed,
        namedAt: absentOr(atMost(time)),
      });
    },

    /** How many NPNs have waited since before a time, for each reason; of more than some thousands, only these. */
    async countWaitingSince(times: Readonly<Record<PollReason, Date>>): Promise<number> {
      let count = 0;
      for (const reason of pollReasons) {
        for (let shard = 0; shard < shards; shard += 1) {
          const { items } = await table.page(polledNpn, pollShard(reason, shard), {
            index: 'by-poll',
            sort: below(times[reason].toISOString()),
            limit: mostCounted,
          });
          count += items.length;
        }
      }
      return count;
    },
  };
}

/** NPNs of a shard that are counted: an alarm needs to know that there are some. */
const mostCounted = 500;
