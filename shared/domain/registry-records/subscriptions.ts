import * as z from 'zod/mini';
import { concurrently, mapPages } from '#platform/data/concurrently.ts';
import { absentOr, atMost, below, isNew, present, unlessSet } from '#platform/data/expressions.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table, TableItems, TableWrites } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import type { CalendarDate } from '#platform/dates/dates.ts';
import type { Organization } from '#platform/identity/organizations.ts';
import { isWritten, nothingToWrite } from '../events/transaction-items.ts';
import type { RegistryReport } from '../registry/registry.ts';
import { holderChange } from './questions.ts';
import { type RegistryDataSubscription, registryDataSubscription, shownChanges } from './resources.ts';
import {
  newSubscription,
  npnOfPartition,
  type PollReason,
  pollReasons,
  pollShard,
  registryKeys,
  renewalPartition,
  renewalShard,
  shardOf,
  shards,
  subscriptionIdOf,
  subscriptionItem,
} from './stored.ts';

/**
 * Has an NPN polled in the next reconciliation before those that nobody asked for.
 * @returns false where nobody subscribes to it.
 */
export async function requestPoll(
  table: Pick<TableWrites, 'update'>,
  npn: string,
  now: Date,
): Promise<boolean> {
  const key = registryKeys.npn(npn);
  const askedAt = now.toISOString();
  const pollKey = pollShard('ASKED', shardOf(npn));
  return (
    (await table.update(key, { pollKey, askedAt }, { pollKey: present, lastPolledAt: present })) ||
    // One that was never polled comes before all of them anyway.
    table.update(key, { askedAt }, { pollKey: present })
  );
}

/** A first poll that is due: a producer or agency was added with its NPN. */
export interface FirstPoll {
  readonly npn: string;
  readonly owner: Pick<RegistryDataSubscription, 'dataOwnerId' | 'dataOwnerModel'>;
  readonly entityModel: NonNullable<RegistryDataSubscription['entityModel']>;
  /** Whether it sends no events: what an operator imports sends none, unless a first poll that sends them waits already. */
  readonly isSilent: boolean;
}

/** The first poll of an agency for its organization, or for a carrier. */
export const firstPollOfAgency = (
  dataOwnerModel: FirstPoll['owner']['dataOwnerModel'],
  dataOwnerId: string,
  npn: string,
  isSilent: boolean,
): FirstPoll => ({
  npn,
  owner: { dataOwnerId, dataOwnerModel },
  entityModel: 'downstreamEntity',
  isSilent,
});

/**
 * The transaction item that queues a first poll, for the transaction that adds a producer or an agency: a schedule finds it, so
 * neither a crash nor a queue that is down loses it.
 * @param dueAt when it is to be made at the earliest.
 */
export const firstPollItem = (
  items: TableItems,
  { npn, owner, entityModel, isSilent }: FirstPoll,
  now: Date,
  dueAt: Date = now,
): TransactionItem =>
  items.update(registryKeys.firstPoll(npn, owner.dataOwnerId), {
    npn,
    owner: { dataOwnerId: owner.dataOwnerId, dataOwnerModel: owner.dataOwnerModel },
    entityModel,
    // A first poll that waits to send events still sends them.
    isSilent: isSilent ? unlessSet(true) : false,
    since: now.toISOString(),
    pollKey: pollShard('FIRST', shardOf(npn)),
    pollSort: dueAt.toISOString(),
  });

/** The items that create a subscription, and have its NPN polled. */
export const subscriptionCreation = (
  items: TableItems,
  subscription: RegistryDataSubscription,
  now: Date,
  refusal: () => Error,
): readonly TransactionItem[] => [
  items.put(subscriptionItem(subscription.dataOwnerId, subscription, now), isNew, refusal),
  // It changes nothing for one that is polled already.
  items.update(registryKeys.npn(subscription.npn), {
    pollKey: unlessSet(pollShard('NEW', shardOf(subscription.npn))),
    pollSort: unlessSet(now.toISOString()),
  }),
];

/** An organization as the subscriptions that it has name it. */
export const dataOwnerOf = ({
  organizationId,
  category,
}: Pick<Organization, 'organizationId' | 'category'>) => ({
  dataOwnerId: organizationId,
  dataOwnerModel: category === 'upstreamEntity' ? category : ('downstreamEntity' as const),
});

/** Purpose of a subscription to NPNs. */
interface NpnUse {
  /** The kind of entity that they identify; null where the caller doesn't know, as for records that were imported. */
  readonly entityModel: RegistryDataSubscription['entityModel'];
  /** Whether their first polls send no events, as `FirstPoll` says; left out: no first poll is queued. */
  readonly isSilent?: boolean;
}

/**
 * Creates the owner's missing subscriptions for these NPNs, and records what kind of entity the NPNs identify where
 * that is not recorded yet. The NPNs are polled from then on, and those of new producers and agencies as soon as
 * possible, where the caller says how. It is idempotent, also when run concurrently.
 */
export async function ensureSubscriptions(
  table: Table,
  owner: Pick<RegistryDataSubscription, 'dataOwnerId' | 'dataOwnerModel'>,
  npns: Iterable<string>,
  { entityModel, isSilent }: NpnUse,
  now: Date,
): Promise<void> {
  const distinctNpns = new Set(npns);
  const keyOf = (npn: string) =>
    registryKeys.subscription(owner.dataOwnerId, subscriptionIdOf(owner.dataOwnerId, npn));
  const subscriptions = await table.getAll(registryDataSubscription, Array.from(distinctNpns, keyOf));
  const subscriptionOfNpn = new Map(subscriptions.map((subscription) => [subscription.npn, subscription]));

  const create = (npn: string): Promise<boolean> =>
    isWritten(
      table.transact([
        ...subscriptionCreation(table.items, newSubscription(owner, npn, entityModel), now, nothingToWrite),
        ...(entityModel === null || isSilent === undefined
          ? []
          : [firstPollItem(table.items, { npn, owner, entityModel, isSilent }, now)]),
      ]),
    );
  await concurrently(distinctNpns, async (npn) => {
    const subscription = subscriptionOfNpn.get(npn);
    const isCreated = subscription === undefined && (await create(npn));
    if (isCreated || entityModel === null) return;
    if (subscription !== undefined && subscription.entityModel !== null) return;
    // Where the condition does not hold, another writer came first and wrote the same.
    const ownSubscription = { dataOwnerId: owner.dataOwnerId, _id: subscriptionIdOf(owner.dataOwnerId, npn) };
    await table.update(keyOf(npn), shownChanges(ownSubscription, { entityModel }, now), {
      entityModel: null,
    });
  });
}

/** An NPN that somebody subscribes to. */
export interface SubscribedNpn {
  readonly npn: string;
  /** Time at which the registry was last polled for it or, where it never was, somebody subscribed. ISO time. */
  readonly since: string;
}

/** The NPNs that anybody subscribes to: one item each, however many subscribe. */
export type SubscribedNpns = ReturnType<typeof createSubscribedNpns>;

const npnItem = storedItem('registry-records/npn', { lastPolledAt: z.optional(z.string()) });

/** Attributes of an NPN in the index of polls. */
const polledNpn = storedItem('registry-records/polled-npn', { pk: z.string(), pollSort: z.string() });

export function createSubscribedNpns(table: Table<'by-poll' | 'by-renewal'>) {
  return {
    /** The NPNs of a shard that wait for the same reason, page by page; the one that waits for longest comes first. */
    waiting: (reason: PollReason, shard: number): AsyncIterable<readonly SubscribedNpn[]> =>
      mapPages(table.query(polledNpn, pollShard(reason, shard), { index: 'by-poll' }), (page) =>
        page.map(({ pk, pollSort }) => ({ npn: npnOfPartition(pk), since: pollSort })),
      ),

    /** NPNs that have a license which ends on one of some days. */
    async endingOn(days: readonly CalendarDate[]): Promise<ReadonlySet<string>> {
      const npns = new Set<string>();
      const partitions = days.flatMap((day) =>
        Array.from({ length: shards }, (_, shard) => renewalShard(day, shard)),
      );
      await concurrently(partitions, async (partition) => {
        for await (const keys of table.keys(renewalPartition(partition))) {
          for (const { pk } of keys) npns.add(npnOfPartition(pk));
        }
      });
      return npns;
    },

    /** Filters NPNs that were not polled since a time. */
    async notPolledSince(npns: readonly string[], time: Date): Promise<readonly string[]> {
      const itemAt = await table.getByKey(npnItem, npns.map(registryKeys.npn));
      const lastPolledAt = (npn: string): string => itemAt(registryKeys.npn(npn))?.lastPolledAt ?? '';
      return npns.filter((npn) => lastPolledAt(npn) < time.toISOString());
    },

    /** Has an NPN polled in the next reconciliation. */
    requestPoll: (npn: string, now: Date) => requestPoll(table, npn, now),

    /** Records a poll that began at a time, and whom it found. It does not serve whoever asked for one since. */
    async recordPoll(npn: string, begunAt: Date, report: RegistryReport): Promise<void> {
      const time = begunAt.toISOString();
      const changes = {
        ...holderChange(report, begunAt),
        lastPolledAt: time,
        pollSort: time,
        pollKey: pollShard('NPN', shardOf(npn)),
      };
      // An NPN of a license that nobody subscribes to is not polled again.
      const isSubscribed = { pollKey: present };
      await table.update(registryKeys.npn(npn), changes, {
        ...isSubscribed,
        askedAt: absentOr(atMost(time)),
      });
    },

    /** Counts NPNs that were not polled since a time; of more than some thousands, only these. */
    async countNotPolledSince(time: Date): Promise<number> {
      let count = 0;
      for (const reason of pollReasons) {
        for (let shard = 0; shard < shards; shard += 1) {
          const { items } = await table.page(polledNpn, pollShard(reason, shard), {
            index: 'by-poll',
            sort: below(time.toISOString()),
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
