import * as z from 'zod/mini';
import { npn } from '../../shared/domain/identifiers/identifiers.ts';
import { registryDataSubscription } from '../../shared/domain/registry-records/resources.ts';
import { pollShard, registryKeys, shards } from '../../shared/domain/registry-records/stored.ts';
import { ensureSubscriptions, type FirstPoll } from '../../shared/domain/registry-records/subscriptions.ts';
import { timestamp } from '../../shared/platform/contract/primitives.ts';
import {
  anyItem,
  parseStoredOrError,
  type StoredItemError,
  storedItem,
} from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import type { Newcomer } from './jobs.ts';

const firstPoll = storedItem('registry-records/first-poll', () => ({
  npn,
  owner: z.pick(registryDataSubscription, { dataOwnerId: true, dataOwnerModel: true }),
  entityModel: z.enum(['agent', 'downstreamEntity']),
  isSilent: z.boolean(),
  /** When it was stored last. */
  since: timestamp,
}));

type DuePoll = z.output<typeof firstPoll>;

/** How long a first poll is with its job before another job is queued for it: longer than the queue tries. */
const queuedForMs = 60 * 60_000;

/** What waits to be polled for the first time. */
export type PollQueue = ReturnType<typeof createPollQueue>;

const keyOf = ({ npn, owner }: Newcomer) => registryKeys.firstPoll(npn, owner);

export const createPollQueue = (table: Table<'by-poll'>, now: () => Date) => ({
  /** First polls that are due, page by page; for one that cannot be read, the error. */
  async *firstPolls(): AsyncIterable<readonly (DuePoll | StoredItemError)[]> {
    const time = now().toISOString();
    for (let shard = 0; shard < shards; shard += 1) {
      for await (const keys of table.keys({ index: 'by-poll', value: pollShard('FIRST', shard) })) {
        const due = keys.filter(({ sort }) => sort <= time);
        if (due.length === 0) break;
        const items = await table.getAll(anyItem, due);
        yield items.map((item) => parseStoredOrError(firstPoll, item));
      }
    }
  },

  /** Creates the subscription of a new NPN, where there is none. */
  subscribe: ({ npn, owner, entityModel }: FirstPoll) =>
    ensureSubscriptions(table, owner, [npn], { entityModel }, now()),

  /** Records that a first poll's job is queued: it is due again after a while, unless the job is done. */
  async queued(poll: Newcomer): Promise<void> {
    const pollSort = new Date(now().getTime() + queuedForMs).toISOString();
    await table.update(keyOf(poll), { pollSort }, { since: poll.since });
  },

  /** Those of some first polls that are still to be made, as they are named. */
  async waiting(polls: readonly Newcomer[]): Promise<readonly Newcomer[]> {
    const found = await table.getAll(firstPoll, polls.map(keyOf));
    const stored = new Set(
      found.map(({ npn, owner, since }) => JSON.stringify([npn, owner.dataOwnerId, since])),
    );
    return polls.filter(({ npn, owner, since }) => stored.has(JSON.stringify([npn, owner, since])));
  },

  /** Forgets a first poll that was made, unless it has become due once more. */
  async forget(poll: Newcomer): Promise<void> {
    await table.delete(keyOf(poll), { since: poll.since });
  },
});
