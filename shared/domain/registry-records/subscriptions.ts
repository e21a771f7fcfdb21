import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { batchGet } from '../../platform/data/batch-get.ts';
import { concurrently } from '../../platform/data/concurrently.ts';
import { conditionHeld } from '../../platform/data/condition-held.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { parseStored } from '../../platform/data/stored.ts';
import { type TransactionItem, transact } from '../../platform/data/transact.ts';
import { type RegistryDataSubscription, registryDataSubscription } from './registry-data-subscription.ts';
import { newSubscription, registryKeys, subscriptionIdOf, subscriptionItem } from './stored.ts';
import { subscriptionUpdate } from './subscription-update.ts';
import { firstVisitItem, npnRegistration } from './visit-items.ts';

/** The subscription exists already: another writer was faster. */
class SubscriptionExists extends Error {}

/** The items that create a subscription, and have its NPN visited. */
export const subscriptionCreation = (
  table: string,
  subscription: RegistryDataSubscription,
  now: Date,
  refused: () => Error,
): readonly TransactionItem[] => [
  {
    write: {
      Put: {
        TableName: table,
        Item: toItem(subscriptionItem(subscription.dataOwnerId, subscription, now)),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    refused,
  },
  npnRegistration(table, subscription.npn, now),
];

/** What NPNs are subscribed to for. */
interface NpnUse {
  /** The kind of entity that they identify; null where the caller doesn't know, as for records that were imported. */
  readonly entityModel: RegistryDataSubscription['entityModel'];
  /** Whether their first visits send no events, as `FirstVisit` says; left out: no first visit is queued. */
  readonly isQuiet?: boolean;
}

/**
 * Creates the owner's missing subscriptions for these NPNs, and records what kind of entity the NPNs identify where
 * that is not recorded yet. Its NPN is visited from then on, and that of a new producer or agency as soon as
 * possible, where the caller says how. It is idempotent, also when run concurrently.
 */
export async function ensureSubscriptions(
  client: DynamoDBClient,
  table: string,
  owner: Pick<RegistryDataSubscription, 'dataOwnerId' | 'dataOwnerModel'>,
  npns: Iterable<string>,
  { entityModel, isQuiet }: NpnUse,
  now: Date,
): Promise<void> {
  const wanted = new Set(npns);
  const keyOf = (npn: string) =>
    registryKeys.subscription(owner.dataOwnerId, subscriptionIdOf(owner.dataOwnerId, npn));
  const items = await batchGet(client, table, Array.from(wanted, keyOf), { consistent: true });
  const known = new Map(
    items.map((item) => {
      const subscription = parseStored(registryDataSubscription, item);
      return [subscription.npn, subscription];
    }),
  );

  /** @returns false when another writer came first. */
  async function create(npn: string): Promise<boolean> {
    const subscription = newSubscription(owner, npn, entityModel);
    try {
      await transact(client, [
        ...subscriptionCreation(table, subscription, now, () => new SubscriptionExists()),
        ...(entityModel === null || isQuiet === undefined
          ? []
          : [firstVisitItem(table, { npn, owner, entityModel, isQuiet }, now)]),
      ]);
      return true;
    } catch (error) {
      if (error instanceof SubscriptionExists) return false;
      throw error;
    }
  }
  const setEntityModel = (npn: string) =>
    new UpdateItemCommand(
      subscriptionUpdate(
        table,
        { dataOwnerId: owner.dataOwnerId, _id: subscriptionIdOf(owner.dataOwnerId, npn) },
        {
          set: 'entityModel = :model',
          condition: 'attribute_type(entityModel, :null)',
          values: { ':model': entityModel, ':null': 'NULL' },
        },
        now,
      ),
    );

  await concurrently(wanted, concurrency, async (npn) => {
    const found = known.get(npn);
    const isCreated = found === undefined && (await create(npn));
    if (isCreated || entityModel === null) return;
    if (found !== undefined && found.entityModel !== null) return;
    // Where the condition does not hold, another writer came first and wrote the same.
    await conditionHeld(client.send(setEntityModel(npn)));
  });
}

/** Concurrent writes. */
const concurrency = 16;
