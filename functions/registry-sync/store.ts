import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  type TransactWriteItem,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { toItem } from '../../shared/data/dynamo.ts';
import { queryPages } from '../../shared/data/query-pages.ts';
import { transact } from '../../shared/data/transact.ts';
import type { RegistryAction, RegistryEntity } from '../../shared/registry/registry.ts';
import type { SyncJob } from '../../shared/registry/sync-job.ts';
import { registryKeys } from '../../shared/registry-records/stored.ts';
import { type HeldItem, reportedItems } from './reported-items.ts';

/** What a synchronization writes. A job that is not the subscription's any more, or is done, changes nothing. */
export interface SynchronizationStore {
  /** Marks the job as under way; also one that failed, which on-call has sent again. */
  begin(job: SyncJob): Promise<'begun' | 'obsolete' | 'no_subscription'>;
  /** Makes the held records those that the registry reports, and the job a success. */
  complete(
    job: SyncJob,
    entity: RegistryEntity,
    actions: readonly RegistryAction[],
  ): Promise<'success' | 'obsolete'>;
  fail(job: SyncJob, message: string): Promise<void>;
}

/** A transaction takes a hundred writes; one of them looks after the subscription. */
const changesAtOnce = 99;

/** The subscription belongs to another job by now, or this one is done. */
class Obsolete extends Error {}

const subscriptionOf = ({ organizationId, registryDataSubscriptionId }: SyncJob) =>
  toItem(registryKeys.subscription(organizationId, registryDataSubscriptionId));

const ofThisJob = 'entityInfo.jobId = :job AND entityInfo.#status = :progress';

export function createSynchronizationStore(
  client: DynamoDBClient,
  table: string,
  now: () => Date,
): SynchronizationStore {
  /** What is held of the NPN, by sort key: all kinds are one partition. */
  async function readHeld({ organizationId, npn }: SyncJob): Promise<Map<string, HeldItem>> {
    const { pk } = registryKeys.ofNpn(organizationId, npn, 'LICENCE');
    const held = new Map<string, HeldItem>();
    const query = {
      TableName: table,
      KeyConditionExpression: 'pk = :partition',
      ExpressionAttributeValues: toItem({ ':partition': pk }),
      // What an earlier delivery of the job has written counts.
      ConsistentRead: true,
    };
    for await (const items of queryPages(client, query)) {
      for (const item of items) held.set(item['sk']?.S ?? '', unmarshall(item));
    }
    return held;
  }

  /** The writes that make what is held what is reported; what stays as it is costs none. */
  function changes(
    job: SyncJob,
    held: ReadonlyMap<string, HeldItem>,
    entity: RegistryEntity,
    actions: readonly RegistryAction[],
  ): TransactWriteItem[] {
    const reported = reportedItems(job, { entity, actions, held, now: now().toISOString() });
    const puts = Array.from(reported.values(), (item): TransactWriteItem[] =>
      isDeepStrictEqual(item, held.get(item.sk))
        ? []
        : [{ Put: { TableName: table, Item: toItem({ ...item }) } }],
    );
    const deletes = Array.from(held, ([sk, { pk }]): TransactWriteItem[] =>
      // The history of a licence holder's regulatory actions stays, whatever the registry reports later.
      reported.has(sk) || !/^(LICENCE|APPOINTMENT)#/.test(sk)
        ? []
        : [{ Delete: { TableName: table, Key: toItem({ pk, sk }) } }],
    );
    return [...puts, ...deletes].flat();
  }

  const write = (changed: readonly TransactWriteItem[], guard: TransactWriteItem): Promise<void> =>
    transact(client, [
      { write: guard, refused: () => new Obsolete() },
      ...changed.map((change) => ({
        write: change,
        refused: () => new Error('This write has no condition.'),
      })),
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
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      };
      try {
        await client.send(new UpdateItemCommand(begin));
        return 'begun';
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return error.Item === undefined ? 'no_subscription' : 'obsolete';
      }
    },

    async complete(job, entity, actions) {
      const changed = changes(job, await readHeld(job), entity, actions);
      const guarded = {
        TableName: table,
        Key: subscriptionOf(job),
        ConditionExpression: ofThisJob,
        ExpressionAttributeNames: { '#status': 'status' },
      };
      const progress = { ':job': job.jobId, ':progress': 'in progress' };
      try {
        // Whole chunks first; a delivery that breaks off after one leaves the rest to the next, which finds it done.
        while (changed.length > changesAtOnce) {
          await write(changed.splice(0, changesAtOnce), {
            ConditionCheck: { ...guarded, ExpressionAttributeValues: toItem(progress) },
          });
        }
        await write(changed, {
          Update: {
            ...guarded,
            UpdateExpression:
              'SET entityInfo.#status = :success, entityInfo.message = :none, lastSynchronizationDate = :now, pdbAlertsSubscriptionStatus = :active',
            ExpressionAttributeValues: toItem({
              ...progress,
              ':success': 'success',
              ':none': null,
              ':now': now().toISOString(),
              ':active': 'active',
            }),
          },
        });
        return 'success';
      } catch (error) {
        if (error instanceof Obsolete) return 'obsolete';
        throw error;
      }
    },

    async fail(job, message) {
      try {
        await client.send(
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
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },
  };
}
