import * as z from 'zod/mini';
import { timestamp } from '../../platform/contract/primitives.ts';
import { anyItem, parseStoredOrError, type StoredItemError, storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import { npn } from '../identifiers/npn.ts';
import { registryDataSubscription } from '../registry-records/registry-data-subscription.ts';
import { registryKeys, shards, visitShard } from '../registry-records/stored.ts';
import { ensureSubscriptions } from '../registry-records/subscriptions.ts';
import type { FirstVisit } from '../registry-records/visit-items.ts';
import type { Newcomer } from './jobs.ts';

const firstVisit = storedItem('registry-records/first-visit', () => ({
  npn,
  owner: z.pick(registryDataSubscription, { dataOwnerId: true, dataOwnerModel: true }),
  entityModel: z.enum(['agent', 'downstreamEntity']),
  isQuiet: z.boolean(),
  /** When it was stored last. */
  since: timestamp,
}));

type DueVisit = z.output<typeof firstVisit>;

/** How long a first visit is with its job before another job is queued for it: longer than the queue tries. */
const queuedForMs = 60 * 60_000;

/** What waits to be visited for the first time. */
export interface VisitQueue {
  /** First visits that are due, page by page; for one that cannot be read, the error. */
  firstVisits(): AsyncIterable<readonly (DueVisit | StoredItemError)[]>;
  /** Creates the subscription of who came in, where there is none. */
  subscribe(visit: FirstVisit): Promise<void>;
  /** Records that a first visit's job is queued: it is due again after a while, unless the job is done. */
  queued(visit: Newcomer): Promise<void>;
  /** Those of some first visits that are still to be made, as they are named. */
  waiting(visits: readonly Newcomer[]): Promise<readonly Newcomer[]>;
  /** Forgets a first visit that was made, unless it has become due once more. */
  forget(visit: Newcomer): Promise<void>;
}

const keyOf = ({ npn, owner }: Newcomer) => registryKeys.firstVisit(npn, owner);

export const createVisitQueue = (table: Table<'by-visit'>, now: () => Date): VisitQueue => ({
  async *firstVisits() {
    const time = now().toISOString();
    for (let shard = 0; shard < shards; shard += 1) {
      for await (const keys of table.keys({ index: 'by-visit', value: visitShard('FIRST', shard) })) {
        const due = keys.filter(({ sort }) => sort <= time);
        if (due.length === 0) break;
        const items = await table.getAll(anyItem, due);
        yield items.map((item) => parseStoredOrError(firstVisit, item));
      }
    }
  },

  subscribe: ({ npn, owner, entityModel }) =>
    ensureSubscriptions(table, owner, [npn], { entityModel }, now()),

  async queued(visit) {
    const visitSort = new Date(now().getTime() + queuedForMs).toISOString();
    await table.update(keyOf(visit), { visitSort }, { since: visit.since });
  },

  async waiting(visits) {
    const found = await table.getAll(firstVisit, visits.map(keyOf));
    const stored = new Set(
      found.map(({ npn, owner, since }) => JSON.stringify([npn, owner.dataOwnerId, since])),
    );
    return visits.filter(({ npn, owner, since }) => stored.has(JSON.stringify([npn, owner, since])));
  },

  async forget(visit) {
    await table.delete(keyOf(visit), { since: visit.since });
  },
});
