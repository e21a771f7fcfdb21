import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { transactionItems } from '../../platform/aws/limits.ts';
import { toItem } from '../../platform/data/dynamo.ts';
import { VersionConflict } from '../../platform/data/optimistic-lock.ts';
import { partitionQuery, queryPages } from '../../platform/data/query-pages.ts';
import { type TransactionItem, transact } from '../../platform/data/transact.ts';
import type { EventItems } from '../events/transaction-items.ts';
import type { RegistryReport } from '../registry/registry.ts';
import { deletedItems, reportedItems, type StoredItem, type Subscriber } from './reported-items.ts';
import { registryKeys } from './stored.ts';
import type { RecordChange } from './versioned-kinds.ts';
import { unlessChanged, versionNumberOf } from './versions.ts';

/** An owner's records of an NPN, by sort key: all kinds are one partition. */
export type StoredRecords = ReadonlyMap<string, StoredItem>;

/** What a transaction of `SubscriberRecords.apply` contains besides the records. */
interface Application {
  /** The time of the changes, as the records show it. */
  readonly at: Date;
  /** What changes them, as their versions show it. */
  readonly by: RecordChange;
  /** An item of each transaction but the last. */
  readonly guard?: TransactionItem;
  /** Items of the last transaction. With any records in it, something has changed. */
  readonly last: (isChanged: boolean) => readonly TransactionItem[];
}

/** Brings a subscriber's records up to date with what the registry reports: the one way in which it is done. */
export interface SubscriberRecords {
  /** Reads consistently: the writes of an earlier attempt count. */
  read(subscriber: Subscriber): Promise<StoredRecords>;
  /**
   * Writes what differs, in as many transactions as it takes, and marks as deleted what the registry no longer reports but
   * for regulatory actions. After a failure a repetition goes on with what is left.
   * @throws VersionConflict when another writer changed one of the records since they were read; what the guard or the last
   *   items are refused with.
   */
  apply(
    subscriber: Subscriber,
    stored: StoredRecords,
    report: RegistryReport,
    application: Application,
  ): Promise<void>;
}

/** Records of a transaction, besides the subscription's update and an event. */
const recordsAtOnce = transactionItems - 2;

export function createSubscriberRecords(client: DynamoDBClient, table: string): SubscriberRecords {
  /** The writes that turn the stored records into the reported ones; unchanged records need none. */
  function changes(
    subscriber: Subscriber,
    stored: StoredRecords,
    report: RegistryReport,
    change: Pick<Application, 'at' | 'by'>,
  ): TransactionItem[] {
    const reported = reportedItems(subscriber, { report, stored, ...change });
    const changed = [...reported.values()].filter((item) => !isDeepStrictEqual(item, stored.get(item.sk)));
    // The history of a license holder's regulatory actions is kept, whatever the registry reports later.
    const complete = [
      ...(report.licenses === undefined ? [] : ['LICENSE#']),
      ...(report.appointments === undefined ? [] : ['APPOINTMENT#']),
    ];
    const gone = Array.from(stored).flatMap(([sk, item]) =>
      reported.has(sk) || !complete.some((prefix) => sk.startsWith(prefix)) ? [] : [item],
    );
    return [...changed, ...deletedItems(gone, change)].map((item) => put(item, stored.get(item.sk)));
  }

  /** The write of an item, unless another writer has recorded a version since it was read. */
  const put = (item: StoredItem, before: StoredItem | undefined): TransactionItem => ({
    write: {
      Put: { TableName: table, Item: toItem({ ...item }), ...unlessChanged(versionNumberOf(before)) },
    },
    refused: () => new VersionConflict('A record changed during its synchronization.'),
  });

  return {
    async read({ dataOwnerId, npn }) {
      const { pk } = registryKeys.ofNpn(dataOwnerId, npn, 'LICENSE');
      const stored = new Map<string, StoredItem>();
      const query = { ...partitionQuery(table, pk), ConsistentRead: true };
      for await (const items of queryPages(client, query)) {
        for (const item of items) stored.set(item['sk']?.S ?? '', unmarshall(item));
      }
      return stored;
    },

    async apply(subscriber, stored, report, { at, by, guard, last }) {
      const left = changes(subscriber, stored, report, { at, by });
      // Whole chunks first; an attempt that fails after one leaves the rest to the next, which finds the chunk done.
      const guards = guard === undefined ? [] : [guard];
      while (left.length > recordsAtOnce)
        await transact(client, [...guards, ...left.splice(0, recordsAtOnce)]);
      const items = [...last(left.length > 0), ...left];
      if (items.length > 0) await transact(client, items);
    },
  };
}

/** The items of the event that a subscriber's records changed. Agencies have no webhooks. */
export const synchronizedEvent = (
  events: EventItems<'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED'>,
  { _id: registryDataSubscriptionId, dataOwnerId, dataOwnerModel, npn }: Subscriber,
  at: Date,
  eventId?: string,
): readonly TransactionItem[] =>
  dataOwnerModel === 'upstreamEntity'
    ? events(
        [
          {
            type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
            upstreamEntityId: dataOwnerId,
            entityId: registryDataSubscriptionId,
            payload: { registryDataSubscriptionId, npn },
            ...(eventId === undefined ? {} : { eventId }),
          },
        ],
        at,
      )
    : [];
