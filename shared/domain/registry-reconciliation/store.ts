import { collect } from '../../platform/data/concurrently.ts';
import type { Changes } from '../../platform/data/expressions.ts';
import { anyItem, itemKey, parseStoredOrError } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { isWritten, nothingToWrite } from '../events/transaction-items.ts';
import type { RegulatoryAction } from '../registry/resources.ts';
import type { RegistryDataSubscription } from '../registry-records/resources.ts';
import { shownChanges } from '../registry-records/shown-changes.ts';
import { registryKeys, registryPartitions, subscriptionIdOf } from '../registry-records/stored.ts';
import {
  type Visit,
  type VisitedSubscription,
  VisitSuperseded,
  visitedSubscription,
} from '../registry-records/subscriber-records.ts';
import { amendableOf } from './amendment.ts';
import type { Report } from './reported-actions.ts';

/** What a poll reads and writes besides the records. */
export type ReconciliationStore = ReturnType<typeof createReconciliationStore>;

/**
 * The changes that say that a subscription is up to date. One that never was, or whose last synchronization failed, is
 * synchronized now; a synchronization that is under way goes on. They count as a change of the subscription only where
 * records changed, or something else of it than the time of the poll.
 */
export function upToDate(
  { dataOwnerId, _id, entityInfo, pdbAlertsSubscriptionStatus }: RegistryDataSubscription,
  isChanged: boolean,
  at: Date,
): Changes {
  const { status } = entityInfo;
  const isDone = status === 'not started' || status === 'failed';
  const isShown = isChanged || isDone || pdbAlertsSubscriptionStatus !== 'active';
  const changes = {
    lastSynchronizationDate: at.toISOString(),
    pdbAlertsSubscriptionStatus: 'active',
    ...(isDone ? { 'entityInfo.status': 'success', 'entityInfo.message': null } : {}),
  };
  return isShown ? shownChanges({ dataOwnerId, _id }, changes, at) : changes;
}

export function createReconciliationStore(table: Table<'by-npn'>) {
  return {
    /**
     * The subscriptions of an NPN, of organizations of either kind; for one that cannot be read, the error. The index of them
     * lags: the latest may be missing, unless their owners are named.
     */
    async subscribersOf(npn: string, owners: readonly string[]) {
      const partition = registryPartitions.subscribersOf(npn);
      const listed = await collect(table.query(itemKey, partition, { index: 'by-npn' }));
      const named = owners.map((owner) => registryKeys.subscription(owner, subscriptionIdOf(owner, npn)));
      const items = await table.getAll(anyItem, [...listed, ...named]);
      return items.map((item) => parseStoredOrError(visitedSubscription, item));
    },

    /** A subscription of an NPN as it is now. */
    subscriber: ({ dataOwnerId, _id }: Pick<VisitedSubscription, 'dataOwnerId' | '_id'>) =>
      table.get(visitedSubscription, registryKeys.subscription(dataOwnerId, _id)),

    /**
     * The item that records a visit, with other changes of its subscription; `VisitSuperseded` where it is refused. What is
     * written depends on the status of the subscription as it was read.
     */
    visited({ dataOwnerId, _id, entityInfo }: VisitedSubscription, visit: Visit, changes: Changes = {}) {
      return table.items.update(
        registryKeys.subscription(dataOwnerId, _id),
        { ...changes, ...visit.changes },
        { 'entityInfo.status': entityInfo.status, ...visit.condition },
        () => new VisitSuperseded(),
      );
    },

    /**
     * Records that an action was reported, together with further items.
     * @param last what was reported for it before.
     * @returns false when another worker has reported it since it was read.
     */
    async report(
      owner: string,
      action: RegulatoryAction,
      last: Report | undefined,
      items: readonly TransactionItem[],
    ) {
      const report = {
        ...registryKeys.reported(owner, action),
        fields: amendableOf(action),
        version: (last?.version ?? 0) + 1,
      };
      const isAsRead = { version: last?.version };
      return isWritten(table.transact([table.items.put(report, isAsRead, nothingToWrite), ...items]));
    },
  };
}
