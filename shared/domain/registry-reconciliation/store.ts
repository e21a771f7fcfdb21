// What a reconciliation reads and writes besides an NPN's records: its subscriptions, and what was last reported of its
// regulatory actions.
import * as z from 'zod/mini';
import { collect } from '../../platform/data/concurrently.ts';
import type { Changes } from '../../platform/data/expressions.ts';
import { anyItem, itemKey, parseStored, parseStoredOrError, storedItem } from '../../platform/data/stored.ts';
import type { Table } from '../../platform/data/table.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { isWritten, nothingToWrite } from '../events/transaction-items.ts';
import {
  amendableFieldNames,
  amendableFields,
  type RegulatoryAction,
  regulatoryAction,
} from '../registry/resources.ts';
import { type RegistryDataSubscription, shownChanges } from '../registry-records/resources.ts';
import { registryKeys, registryPartitions, subscriptionIdOf } from '../registry-records/stored.ts';
import {
  type StoredRecords,
  type Visit,
  type VisitedSubscription,
  VisitSuperseded,
  visitedSubscription,
} from '../registry-records/subscriber-records.ts';

/** What a poll reads and writes besides the records. */
export type ReconciliationStore = ReturnType<typeof createReconciliationStore>;

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

/** What was last reported for an action. */
interface Report {
  /** Rises by one with each report. */
  readonly version: number;
  /** Undefined where it cannot be read. */
  readonly fields: AmendableFields | undefined;
}

const reportVersion = storedItem('registry-records/report-version', () => ({ version: z.int() }));

const reportedFields = storedItem('registry-records/reported-fields', () => ({ fields: amendableFields }));

const prefixes = { action: 'ACTION#', report: 'REPORTED#' } as const;

/**
 * The actions among an NPN's records, with what was last reported for each.
 * @throws StoredItemError when an action breaks its schema.
 */
export const heldActions = (stored: StoredRecords) =>
  Array.from(stored)
    .filter(([sk]) => sk.startsWith(prefixes.action))
    .map(([sk, item]) => {
      const reported = stored.get(sk.replace(prefixes.action, prefixes.report));
      const report: Report | undefined = reported && {
        version: parseStored(reportVersion, reported).version,
        fields: z.safeParse(reportedFields, reported).data?.fields,
      };
      return { action: parseStored(regulatoryAction, item), report };
    });

type AmendableField = (typeof amendableFieldNames)[number];

/** The fields of an action that a state may amend. */
export type AmendableFields = Pick<RegulatoryAction, AmendableField>;

/** What changed of an action since it was last reported (OpenAPI, "Events"). */
export interface Amendment {
  changedFields: AmendableField[];
  /** The former values of the changed fields; null where they cannot be read. */
  previousValues: Partial<AmendableFields> | null;
}

export const amendableOf = (action: AmendableFields): AmendableFields => z.parse(amendableFields, action);

/** The day of a date or time as it is written, in whichever zone. */
const dayOf = (date: string): string => date.slice(0, 10);

/** Whether two dates are the same, however they are written: the instant, or the day where one of them has no time. */
const isSameDate = (one: string, other: string): boolean =>
  Date.parse(one) === Date.parse(other) || (dayOf(one) === dayOf(other) && [one, other].includes(dayOf(one)));

const dateFields: readonly string[] = ['dateOfAction', 'effectiveDate', 'enterDate'];

function isSame(field: AmendableField, reported: AmendableFields, action: AmendableFields): boolean {
  const [one, other] = [reported[field], action[field]];
  if (one === other) return true;
  const areDates = dateFields.includes(field) && typeof one === 'string' && typeof other === 'string';
  return areDates && isSameDate(one, other);
}

/**
 * Compares an action with what was last reported for it; undefined where nothing changed.
 * @param reported undefined where it cannot be read any more: then every field may have changed.
 */
export function amendmentOf(
  reported: AmendableFields | undefined,
  action: AmendableFields,
): Amendment | undefined {
  if (reported === undefined) return { changedFields: [...amendableFieldNames], previousValues: null };
  const changedFields = amendableFieldNames.filter((field) => !isSame(field, reported, action));
  if (changedFields.length === 0) return undefined;
  const previousValues = Object.fromEntries(changedFields.map((field) => [field, reported[field]]));
  return { changedFields, previousValues };
}
