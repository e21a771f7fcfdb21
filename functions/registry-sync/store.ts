import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  type TransactWriteItem,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { transactionItems } from '../../shared/aws/limits.ts';
import { conditionHeld } from '../../shared/data/condition-held.ts';
import { toItem } from '../../shared/data/dynamo.ts';
import { partitionQuery, queryPages } from '../../shared/data/query-pages.ts';
import { parseStored } from '../../shared/data/stored.ts';
import { type TransactionItem, transact } from '../../shared/data/transact.ts';
import { derivedEventId } from '../../shared/events/stored.ts';
import type { EventItems } from '../../shared/events/transaction-items.ts';
import type { RegistryAction, RegistryEntity } from '../../shared/registry/registry.ts';
import type { SyncJob } from '../../shared/registry/sync-job.ts';
import { registryKeys } from '../../shared/registry-records/stored.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
} from '../../shared/resources/registry-data-subscription.ts';
import { reportedItems, type StoredItem } from './reported-items.ts';

/** A synchronization that is under way. */
export interface Synchronization {
  readonly dataOwnerModel: RegistryDataSubscription['dataOwnerModel'];
}

/** The writes of a synchronization. A job that is no longer the subscription's, or is done, changes nothing. */
export interface SynchronizationStore {
  /** Marks the job as in progress; also a failed one that on-call has redriven. */
  begin(job: SyncJob): Promise<Synchronization | 'obsolete' | 'no_subscription'>;
  /** Replaces the stored records with those of the registry, completes the job, and emits the carrier's event. */
  complete(
    job: SyncJob,
    synchronization: Synchronization,
    entity: RegistryEntity,
    actions: readonly RegistryAction[],
  ): Promise<'success' | 'obsolete'>;
  fail(job: SyncJob, message: string): Promise<void>;
}

/** Changes of a transaction that also holds the subscription's update and the event. */
const changesAtOnce = transactionItems - 2;

/** The subscription now belongs to another job, or this one is done. */
class JobObsolete extends Error {}

const subscriptionOf = ({ organizationId, registryDataSubscriptionId }: SyncJob) =>
  toItem(registryKeys.subscription(organizationId, registryDataSubscriptionId));

const storedOwner = z.pick(registryDataSubscription, { dataOwnerModel: true });

const ofThisJob = 'entityInfo.jobId = :job AND entityInfo.#status = :progress';

export function createSynchronizationStore(
  client: DynamoDBClient,
  table: string,
  events: EventItems<'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED'>,
  now: () => Date,
): SynchronizationStore {
  /** The stored records of the NPN, by sort key: all kinds are one partition. */
  async function readStored({ organizationId, npn }: SyncJob): Promise<Map<string, StoredItem>> {
    const { pk } = registryKeys.ofNpn(organizationId, npn, 'LICENSE');
    const stored = new Map<string, StoredItem>();
    const query = {
      ...partitionQuery(table, pk),
      // The writes of an earlier delivery of the job count.
      ConsistentRead: true,
    };
    for await (const items of queryPages(client, query)) {
      for (const item of items) stored.set(item['sk']?.S ?? '', unmarshall(item));
    }
    return stored;
  }

  /** The writes that turn the stored records into the reported ones; unchanged records need none. */
  function changes(
    job: SyncJob,
    stored: ReadonlyMap<string, StoredItem>,
    entity: RegistryEntity,
    actions: readonly RegistryAction[],
  ): TransactWriteItem[] {
    const reported = reportedItems(job, { entity, actions, stored, now: now().toISOString() });
    const puts = Array.from(reported.values(), (item): TransactWriteItem[] =>
      isDeepStrictEqual(item, stored.get(item.sk))
        ? []
        : [{ Put: { TableName: table, Item: toItem({ ...item }) } }],
    );
    const deletes = Array.from(stored, ([sk, { pk }]): TransactWriteItem[] =>
      // The history of a license holder's regulatory actions is kept, whatever the registry reports later.
      reported.has(sk) || !/^(LICENSE|APPOINTMENT)#/.test(sk)
        ? []
        : [{ Delete: { TableName: table, Key: toItem({ pk, sk }) } }],
    );
    return [...puts, ...deletes].flat();
  }

  /** Agencies have no webhooks. */
  const completionEvent = (
    job: SyncJob,
    { dataOwnerModel }: Synchronization,
    at: Date,
  ): readonly TransactionItem[] =>
    dataOwnerModel === 'upstreamEntity'
      ? events(
          [
            {
              type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
              upstreamEntityId: job.organizationId,
              entityId: job.registryDataSubscriptionId,
              eventId: derivedEventId('synchronized', job.registryDataSubscriptionId, job.jobId),
              payload: { registryDataSubscriptionId: job.registryDataSubscriptionId, npn: job.npn },
            },
          ],
          at,
        )
      : [];

  const write = (
    changed: readonly TransactWriteItem[],
    subscriptionWrite: TransactWriteItem,
    furtherItems: readonly TransactionItem[] = [],
  ): Promise<void> =>
    transact(client, [
      { write: subscriptionWrite, refused: () => new JobObsolete() },
      ...changed.map((change) => ({
        write: change,
        refused: () => new Error('This write has no condition.'),
      })),
      ...furtherItems,
    ]);

  return {
    async begin(job) {
      const begin: UpdateItemCommandInput = {
        TableName: table,
        Key: subscriptionOf(job),
        UpdateExpression: 'SET entityInfo.#status = :progress, entityInfo.message = :none',
        ConditionExpression: 'entityInfo.jobId = :job AND entityInfo.#status <> :success',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: toItem({
          ':job': job.jobId,
          ':progress': 'in progress',
          ':success': 'success',
          ':none': null,
        }),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      };
      try {
        const { Attributes = {} } = await client.send(new UpdateItemCommand(begin));
        return parseStored(storedOwner, unmarshall(Attributes));
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return error.Item === undefined ? 'no_subscription' : 'obsolete';
      }
    },

    async complete(job, synchronization, entity, actions) {
      const changed = changes(job, await readStored(job), entity, actions);
      const condition = {
        TableName: table,
        Key: subscriptionOf(job),
        ConditionExpression: ofThisJob,
        ExpressionAttributeNames: { '#status': 'status' },
      };
      const progress = { ':job': job.jobId, ':progress': 'in progress' };
      try {
        // Whole chunks first; a delivery that fails after one leaves the rest to the next, which finds the chunk done.
        while (changed.length > changesAtOnce) {
          await write(changed.splice(0, changesAtOnce), {
            ConditionCheck: { ...condition, ExpressionAttributeValues: toItem(progress) },
          });
        }
        const at = now();
        const success = {
          Update: {
            ...condition,
            UpdateExpression:
              'SET entityInfo.#status = :success, entityInfo.message = :none, lastSynchronizationDate = :now, pdbAlertsSubscriptionStatus = :active',
            ExpressionAttributeValues: toItem({
              ...progress,
              ':success': 'success',
              ':none': null,
              ':now': at.toISOString(),
              ':active': 'active',
            }),
          },
        };
        await write(changed, success, completionEvent(job, synchronization, at));
        return 'success';
      } catch (error) {
        if (error instanceof JobObsolete) return 'obsolete';
        throw error;
      }
    },

    async fail(job, message) {
      await conditionHeld(
        client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: subscriptionOf(job),
            UpdateExpression: 'SET entityInfo.#status = :failed, entityInfo.message = :message',
            ConditionExpression: ofThisJob,
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: toItem({
              ':job': job.jobId,
              ':progress': 'in progress',
              ':failed': 'failed',
              ':message': message,
            }),
          }),
        ),
      );
    },
  };
}
