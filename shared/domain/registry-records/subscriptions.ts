import { concurrently } from '../../platform/data/concurrently.ts';
import { isNew } from '../../platform/data/expressions.ts';
import type { Table } from '../../platform/data/table.ts';
import type { TableItems } from '../../platform/data/table-items.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { firstPollItem, npnRegistration } from './poll-items.ts';
import { type RegistryDataSubscription, registryDataSubscription } from './registry-data-subscription.ts';
import { shownChanges } from './shown-changes.ts';
import { newSubscription, registryKeys, subscriptionIdOf, subscriptionItem } from './stored.ts';

/** The subscription exists already: another writer was faster. */
class SubscriptionExists extends Error {}

/** The items that create a subscription, and have its NPN polled. */
export const subscriptionCreation = (
  items: TableItems,
  subscription: RegistryDataSubscription,
  now: Date,
  refused: () => Error,
): readonly TransactionItem[] => [
  items.put(subscriptionItem(subscription.dataOwnerId, subscription, now), isNew, refused),
  npnRegistration(items, subscription.npn, now),
];

/** What NPNs are subscribed to for. */
interface NpnUse {
  /** The kind of entity that they identify; null where the caller doesn't know, as for records that were imported. */
  readonly entityModel: RegistryDataSubscription['entityModel'];
  /** Whether their first polls send no events, as `FirstPoll` says; left out: no first poll is queued. */
  readonly isSilent?: boolean;
}

/**
 * Creates the owner's missing subscriptions for these NPNs, and records what kind of entity the NPNs identify where
 * that is not recorded yet. Its NPN is polled from then on, and that of a new producer or agency as soon as
 * possible, where the caller says how. It is idempotent, also when run concurrently.
 */
export async function ensureSubscriptions(
  table: Table,
  owner: Pick<RegistryDataSubscription, 'dataOwnerId' | 'dataOwnerModel'>,
  npns: Iterable<string>,
  { entityModel, isSilent }: NpnUse,
  now: Date,
): Promise<void> {
  const wanted = new Set(npns);
  const keyOf = (npn: string) =>
    registryKeys.subscription(owner.dataOwnerId, subscriptionIdOf(owner.dataOwnerId, npn));
  const found = await table.getAll(registryDataSubscription, Array.from(wanted, keyOf));
  const known = new Map(found.map((subscription) => [subscription.npn, subscription]));

  /** @returns false when another writer came first. */
  async function create(npn: string): Promise<boolean> {
    const subscription = newSubscription(owner, npn, entityModel);
    try {
      await table.transact([
        ...subscriptionCreation(table.items, subscription, now, () => new SubscriptionExists()),
        ...(entityModel === null || isSilent === undefined
          ? []
          : [firstPollItem(table.items, { npn, owner, entityModel, isSilent }, now)]),
      ]);
      return true;
    } catch (error) {
      if (error instanceof SubscriptionExists) return false;
      throw error;
    }
  }
  await concurrently(wanted, concurrency, async (npn) => {
    const subscription = known.get(npn);
    const isCreated = subscription === undefined && (await create(npn));
    if (isCreated || entityModel === null) return;
    if (subscription !== undefined && subscription.entityModel !== null) return;
    // Where the condition does not hold, another writer came first and wrote the same.
    const named = { dataOwnerId: owner.dataOwnerId, _id: subscriptionIdOf(owner.dataOwnerId, npn) };
    await table.update(keyOf(npn), shownChanges(named, { entityModel }, now), { entityModel: null });
  });
}

/** Concurrent writes. */
const concurrency = 16;
