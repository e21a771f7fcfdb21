import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { derivedEventId } from '../../shared/domain/events/stored.ts';
import type { EventItems } from '../../shared/domain/events/transaction-items.ts';
import type { RegistryAction, RegistryEntity } from '../../shared/domain/registry/registry.ts';
import type { SyncJob } from '../../shared/domain/registry/sync-job.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
} from '../../shared/domain/registry-records/registry-data-subscription.ts';
import { registryKeys } from '../../shared/domain/registry-records/stored.ts';
import {
  createSubscriberRecords,
  synchronizedEvent,
} from '../../shared/domain/registry-records/subscriber-records.ts';
import { subscriptionUpdate } from '../../shared/domain/registry-records/subscription-update.ts';
import { conditionHeld } from '../../shared/platform/data/condition-held.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { parseStored, storedItem } from '../../shared/platform/data/stored.ts';

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

/** The subscription now belongs to another job, or this one is done. */
class JobObsolete extends Error {}

const subscriptionOf = ({ organizationId, registryDataSubscriptionId }: SyncJob) => ({
  dataOwnerId: organizationId,
  _id: registryDataSubscriptionId,
});

const storedOwner = storedItem(
  'registry-records/subscription-owner',
  z.pick(registryDataSubscription, { dataOwnerModel: true }),
);

const ofThisJob = 'entityInfo.jobId = :job AND entityInfo.#status = :progress';

export function createSynchronizationStore(
  client: DynamoDBClient,
  table: string,
  events: EventItems<'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED'>,
  now: () => Date,
): SynchronizationStore {
  const records = createSubscriberRecords(client, table, now);

  return {
    async begin(job) {
      const change = {
        set: 'entityInfo.#status = :progress, entityInfo.message = :none',
        condition: 'entityInfo.jobId = :job AND entityInfo.#status <> :success',
        names: { '#status': 'status' },
        values: { ':job': job.jobId, ':progress': 'in progress', ':success': 'success', ':none': null },
      };
      const begin: UpdateItemCommandInput = {
        ...subscriptionUpdate(table, subscriptionOf(job), change, now()),
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

    async complete(job, { dataOwnerModel }, { licenses, appointments }, actions) {
      const { jobId, npn, organizationId: dataOwnerId, registryDataSubscriptionId: _id } = job;
      const subscriber = { _id, dataOwnerId, dataOwnerModel, npn };
      const condition = { condition: ofThisJob, names: { '#status': 'status' } };
      const progress = { ':job': jobId, ':progress': 'in progress' };
      const refused = () => new JobObsolete();
      const at = now();
      const success = {
        ...condition,
        set: 'entityInfo.#status = :success, entityInfo.message = :none, lastSynchronizationDate = :now, pdbAlertsSubscriptionStatus = :active',
        values: {
          ...progress,
          ':success': 'success',
          ':none': null,
          ':now': at.toISOString(),
          ':active': 'active',
        },
      };
      const guard = {
        write: {
          ConditionCheck: {
            TableName: table,
            Key: toItem(registryKeys.subscription(dataOwnerId, _id)),
            ConditionExpression: condition.condition,
            ExpressionAttributeNames: condition.names,
            ExpressionAttributeValues: toItem(progress),
          },
        },
        refused,
      };
      const last = () => [
        // Its time is taken here: the transactions before it may have taken long.
        { write: { Update: subscriptionUpdate(table, subscriber, success, now()) }, refused },
        ...synchronizedEvent(events, subscriber, at, derivedEventId('synchronized', _id, jobId)),
      ];
      try {
        const report = { licenses, appointments, actions };
        await records.apply(subscriber, report, { by: 'synchronization', isQuiet: false, guard, last });
        return 'success';
      } catch (error) {
        if (error instanceof JobObsolete) return 'obsolete';
        throw error;
      }
    },

    async fail(job, message) {
      const change = {
        set: 'entityInfo.#status = :failed, entityInfo.message = :message',
        condition: ofThisJob,
        names: { '#status': 'status' },
        values: { ':job': job.jobId, ':progress': 'in progress', ':failed': 'failed', ':message': message },
      };
      const update = new UpdateItemCommand(subscriptionUpdate(table, subscriptionOf(job), change, now()));
      await conditionHeld(client.send(update));
    },
  };
}
