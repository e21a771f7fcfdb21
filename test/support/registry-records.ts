import { type DynamoDBClient, PutItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { SyncJob } from '#domain/registry-records/resources.ts';
import { createRecordedHolders } from '#domain/registry-records/store.ts';
import { newSubscription, subscriptionIdOf, subscriptionItem } from '#domain/registry-records/stored.ts';
import { registryRecordsTable } from '#domain/tables.ts';
import { toItem } from '#platform/data/dynamo.ts';
import { tableOf } from '#platform/data/table.ts';
import { newYorkDate } from '#platform/dates/dates.ts';
import { shownRows } from './holders.ts';

type Item = Record<string, unknown>;

/** Stores a subscription that waits for this job, as the operation that queues it does. */
export async function queueJob(
  dynamo: DynamoDBClient,
  table: string,
  { organizationId, npn, jobId }: Pick<SyncJob, 'organizationId' | 'npn' | 'jobId'>,
): Promise<SyncJob> {
  const subscription = newSubscription(
    { dataOwnerId: organizationId, dataOwnerModel: 'upstreamEntity' },
    npn,
    'downstreamEntity',
  );
  const entityInfo = { ...subscription.entityInfo, status: 'queued' as const, jobId };
  const Item = toItem(subscriptionItem(organizationId, { ...subscription, entityInfo }, new Date()));
  await dynamo.send(new PutItemCommand({ TableName: table, Item }));
  return { jobId, organizationId, npn, registryDataSubscriptionId: subscriptionIdOf(organizationId, npn) };
}

/**
 * The stored subscription of an organization’s NPN, without the mark of its last visit, which is random, and the records that
 * are held by then, by sort key.
 */
export async function heldOf(
  dynamo: DynamoDBClient,
  table: string,
  { organizationId, npn, registryDataSubscriptionId }: SyncJob,
): Promise<{ readonly subscription: Item | undefined; readonly records: Readonly<Record<string, Item>> }> {
  const partition = async (pk: string): Promise<Item[]> => {
    const query = {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: toItem({ ':pk': pk }),
    };
    const items: Item[] = [];
    for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) {
      items.push(...Items.map((item) => unmarshall(item)));
    }
    return items;
  };
  const subscriptions = await partition(`${organizationId}#SUBSCRIPTION`);
  const found = subscriptions.find(({ sk }) => sk === registryDataSubscriptionId);
  const records = await createRecordedHolders(tableOf(registryRecordsTable, dynamo, table)).coverageOf(
    organizationId,
    npn,
    { classKinds: [] },
  );
  return {
    subscription: found,
    records: Object.fromEntries(shownRows(records, newYorkDate(new Date()))),
  };
}
