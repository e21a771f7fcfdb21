import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { batchGet } from '../data/batch-get.ts';
import { concurrently } from '../data/concurrently.ts';
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
    const isMade = found === undefined && (await unlessRefused(() => client.send(create(npn))));
    if (isMade || entityModel === null || (found !== undefined && found.entityModel !== null)) return;
    await unlessRefused(() => client.send(setEntityModel(npn)));
  });
}

/** Concurrent writes. */
const concurrency = 16;

/** Whether the write's condition held; otherwise another writer came first. */
async function unlessRefused(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
