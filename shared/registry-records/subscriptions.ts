import { type DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { batchGet } from '../data/batch-get.ts';
import { concurrently } from '../data/concurrently.ts';
import { conditionHeld } from '../data/condition-held.ts';
import { toItem } from '../data/dynamo.ts';
import { parseStored } from '../data/stored.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
} from '../resources/registry-data-subscription.ts';
import { newSubscription, registryKeys, subscriptionIdOf, subscriptionItem } from './stored.ts';

/**
 * Creates the owner's missing subscriptions for these NPNs, and records what kind of entity the NPNs identify where
 * that is not recorded yet. It is idempotent, also when run concurrently.
 *
 * @param entityModel the kind of entity that the NPNs identify; null where the caller doesn't know.
 */
export async function ensureSubscriptions(
  client: DynamoDBClient,
  table: string,
  owner: Pick<RegistryDataSubscription, 'dataOwnerId' | 'dataOwnerModel'>,
  npns: Iterable<string>,
  entityModel: RegistryDataSubscription['entityModel'],
): Promise<void> {
  const wanted = new Set(npns);
  const keyOf = (npn: string) =>
    registryKeys.subscription(owner.dataOwnerId, subscriptionIdOf(owner.dataOwnerId, npn));
  const items = await batchGet(client, table, Array.from(wanted, keyOf), { consistent: true });
  const known = new Map(
    items.map((item) => parseStored(registryDataSubscription, item)).map((one) => [one.npn, one]),
  );

  const create = (npn: string) =>
    new PutItemCommand({
      TableName: table,
      Item: toItem(subscriptionItem(owner.dataOwnerId, newSubscription(owner, npn, entityModel))),
      ConditionExpression: 'attribute_not_exists(pk)',
    });
  const setEntityModel = (npn: string) =>
    new UpdateItemCommand({
      TableName: table,
      Key: toItem(keyOf(npn)),
      UpdateExpression: 'SET entityModel = :model',
      ConditionExpression: 'attribute_type(entityModel, :null)',
      ExpressionAttributeValues: toItem({ ':model': entityModel, ':null': 'NULL' }),
    });

  await concurrently(wanted, concurrency, async (npn) => {
    const found = known.get(npn);
    // Where a condition does not hold, another writer came first and wrote the same.
    const isCreated = found === undefined && (await conditionHeld(client.send(create(npn))));
    if (isCreated || entityModel === null || (found !== undefined && found.entityModel !== null)) return;
    await conditionHeld(client.send(setEntityModel(npn)));
  });
}

/** Concurrent writes. */
const concurrency = 16;
