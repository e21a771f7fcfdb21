import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
} from '../../shared/domain/registry-records/registry-data-subscription.ts';
import {
  newSubscription,
  registryKeys,
  subscriptionIdOf,
} from '../../shared/domain/registry-records/stored.ts';
import { subscriptionUpdate } from '../../shared/domain/registry-records/subscription-update.ts';
import { subscriptionCreation } from '../../shared/domain/registry-records/subscriptions.ts';
import { compiledObject } from '../../shared/platform/contract/object.ts';
import { timestamp } from '../../shared/platform/contract/primitives.ts';
import { conditionHeld } from '../../shared/platform/data/condition-held.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { getItem } from '../../shared/platform/data/get-item.ts';
import { VersionConflict } from '../../shared/platform/data/optimistic-lock.ts';
import { storedItem } from '../../shared/platform/data/stored.ts';
import { type TransactionItem, transact } from '../../shared/platform/data/transact.ts';

/** A subscription with the state of its last synchronization on its way to the queue. */
const storedSynchronization = storedItem(
  'registry-records/synchronization',
  compiledObject(() => ({
    ...registryDataSubscription.shape,
    /** Whether the queue has accepted the job. */
    isSent: z.optional(z.boolean()),
    /** Requests that are sending the job now, or crashed while they were. */
    senders: z.optional(z.set(z.string())),
    queuedAt: z.optional(timestamp),
  })),
);

export type Synchronization = z.output<typeof storedSynchronization>;

/** Synchronizations of an owner's subscriptions up to the queue; from there the worker takes over. */
export interface SynchronizationStore {
  /** The subscription for an NPN, read consistently. */
  find(owner: string, npn: string): Promise<Synchronization | undefined>;
  /**
   * Marks a subscription as queued, not yet sent; creates it where there is none.
   * @param before the subscription as it was read
   * @param jobId also the name of the one who is to send it now.
   * @returns undefined when another request or the worker was faster.
   */
  queue(
    owner: string,
    npn: string,
    before: Synchronization | undefined,
    jobId: string,
    now: Date,
  ): Promise<Synchronization | undefined>;
  /**
   * Joins those who send a job, for a request that finds it not sent.
   * @returns false when it has been sent meanwhile, or is another job.
   */
  joinSenders(synchronization: Synchronization, sender: string): Promise<boolean>;
  /** The transaction item that records that the queue has accepted the job. */
  markSent(synchronization: Synchronization): TransactionItem;
  /** Writes items in one transaction, if there are any. */
  write(items: readonly TransactionItem[]): Promise<void>;
  /** Records that the queue did not accept the job from a sender: it has failed, unless others have sent it or are sending it. */
  sendFailed(synchronization: Synchronization, sender: string, now: Date): Promise<void>;
}

export function createSynchronizationStore(client: DynamoDBClient, table: string): SynchronizationStore {
  const keyOf = ({ dataOwnerId, _id }: RegistryDataSubscription) =>
    toItem(registryKeys.subscription(dataOwnerId, _id));

  /** Creates the subscription of a synchronization; undefined when another request was faster. */
  async function create(synchronization: Synchronization, now: Date): Promise<Synchronization | undefined> {
    try {
      await transact(
        client,
        subscriptionCreation(table, synchronization, now, () => new VersionConflict()),
      );
      return synchronization;
    } catch (error) {
      if (error instanceof VersionConflict) return undefined;
      throw error;
    }
  }

  return {
    find(owner, npn) {
      const key = registryKeys.subscription(owner, subscriptionIdOf(owner, npn));
      return getItem(client, table, key, storedSynchronization, { consistent: true });
    },

    async queue(owner, npn, before, jobId, now) {
      const known =
        before ??
        newSubscription({ dataOwnerId: owner, dataOwnerModel: 'upstreamEntity' }, npn, 'downstreamEntity');
      const after: Synchronization = {
        ...known,
        entityModel: 'downstreamEntity',
        entityInfo: { ...known.entityInfo, status: 'queued', jobId, message: null },
        isSent: false,
        senders: new Set([jobId]),
        queuedAt: now.toISOString(),
      };
      if (before === undefined) return create(after, now);
      const change = {
        set: 'entityModel = :model, entityInfo = :info, isSent = :isSent, senders = :senders, queuedAt = :queuedAt',
        condition: 'entityInfo = :before',
        values: {
          ':model': after.entityModel,
          ':info': after.entityInfo,
          ':isSent': after.isSent,
          ':senders': after.senders,
          ':queuedAt': after.queuedAt,
          ':before': before.entityInfo,
        },
      };
      const update = new UpdateItemCommand(subscriptionUpdate(table, after, change, now));
      return (await conditionHeld(client.send(update))) ? after : undefined;
    },

    markSent: (synchronization) => ({
      write: {
        Update: {
          TableName: table,
          Key: keyOf(synchronization),
          UpdateExpression: 'SET isSent = :yes',
          ConditionExpression: 'entityInfo.jobId = :job',
          ExpressionAttributeValues: toItem({ ':yes': true, ':job': synchronization.entityInfo.jobId }),
        },
      },
      refused: () => new VersionConflict(),
    }),

    async write(items) {
      if (items.length > 0) await transact(client, items);
    },

    async joinSenders(synchronization, sender) {
      const update = new UpdateItemCommand({
        TableName: table,
        Key: keyOf(synchronization),
        UpdateExpression: 'ADD senders :sender',
        ConditionExpression: 'entityInfo = :queued AND isSent = :no',
        ExpressionAttributeValues: toItem({
          ':sender': new Set([sender]),
          ':queued': synchronization.entityInfo,
          ':no': false,
        }),
      });
      return conditionHeld(client.send(update));
    },

    async sendFailed(synchronization, sender, now) {
      const { entityInfo } = synchronization;
      const leave = new UpdateItemCommand({
        TableName: table,
        Key: keyOf(synchronization),
        UpdateExpression: 'DELETE senders :sender',
        ExpressionAttributeValues: toItem({ ':sender': new Set([sender]) }),
      });
      await client.send(leave);
      const message = 'The synchronization could not be queued.';
      const change = {
        set: 'entityInfo = :failed',
        // DynamoDB removes a set whose last element goes.
        condition: 'entityInfo = :queued AND isSent = :no AND attribute_not_exists(senders)',
        values: {
          ':failed': { ...entityInfo, status: 'failed', message },
          ':queued': entityInfo,
          ':no': false,
        },
      };
      const update = new UpdateItemCommand(subscriptionUpdate(table, synchronization, change, now));
      await conditionHeld(client.send(update));
    },
  };
}
