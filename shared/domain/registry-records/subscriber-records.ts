import type { Table } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import { inOrder, isUnreadIn, nothingAdded, recordReport } from '../decision/record.ts';
import { isSameRow, type Recording } from '../decision/records.ts';
import type { EventItems } from '../events/transaction-items.ts';
import type { RegistryReport, UnreadableRow } from '../registry/registry.ts';
import type { RegulatoryAction } from '../registry/resources.ts';
import {
  type AdditionalItems,
  createHolderRecords,
  type HolderChange,
  type StoredHolder,
} from './holder-records.ts';
import type { RegistryDataSubscription } from './resources.ts';
import { regulatoryActionIdOf } from './stored.ts';
import { actionsOf, type Recorder, type StoredRecords } from './stored-records.ts';
import { unreadableItems } from './unreadable-rows.ts';

/** Fields of a subscription that are read when its records are brought up to date. */
type Subscriber = Pick<RegistryDataSubscription, '_id' | 'dataOwnerId' | 'dataOwnerModel' | 'npn'>;

/** Brings a subscriber's records up to date with what the registry reports: the one way in which it is done. */
export type SubscriberRecords = ReturnType<typeof createSubscriberRecords>;

export function createSubscriberRecords(table: Table, now: () => Date) {
  const { record } = createHolderRecords(table, now);
  return {
    /**
     * Records what the registry reports. A list that is undefined says nothing; a statement with a row that cannot be read is not
     * complete.
     * @param asked when the registry was asked; of an import, its recording.
     * @returns whether licenses or appointments changed, the regulatory actions as they are now, with what was reported of them, and
     *   how many rows cannot be read, of kinds and states of which the last report could be.
     * @throws TransactionContention when other writers were faster each time; what the last items are refused with.
     */
    async apply(
      subscriber: Subscriber,
      report: RegistryReport,
      {
        isSilent,
        moment,
        ...additional
      }: Recorder & AdditionalItems & { readonly moment: Date | Omit<Recording, 'by'> },
    ) {
      const { dataOwnerId: owner, npn } = subscriber;
      const { licenses, appointments, actions, unreadable = [], isNotFound = false } = report;
      const isSaid = isNotFound || (licenses ?? appointments ?? actions) !== undefined;
      const decide = (storedHolder: StoredHolder): HolderChange & { readonly newlyUnreadable: number } => {
        if (!isSaid) return { ...nothingAdded, newlyUnreadable: 0 };
        const time = now();
        const change = recordReport(storedHolder.records, {
          ...(moment instanceof Date ? visitAt(momentAmong(storedHolder.records, moment), time) : moment),
          isFound: !isNotFound,
          rows: rowsOf(subscriber, report, storedHolder, time),
          unread: unreadable,
        });
        const newlyUnreadable = unreadable.filter((row) => !isUnread(storedHolder.records, row)).length;
        return {
          ...change,
          newlyUnreadable,
          unreadable: unreadableItems({ owner, npn }, unreadable, time),
        };
      };
      const { change, ...outcome } = await record({ owner, npn }, { isSilent }, decide, additional);
      return { ...outcome, newlyUnreadable: change.newlyUnreadable };
    },
  };
}

/** The recording of a visit; its moment names it. */
const visitAt = (at: string, time: Date) => ({ id: at, at, recordedAt: time.toISOString() });

/** The moment of a visit, which no other report has: equal ones would count in an order by chance. */
function momentAmong({ reports }: StoredRecords, moment: Date): string {
  const moments = new Set(reports.map(({ at }) => at));
  let time = moment.getTime();
  while (moments.has(new Date(time).toISOString())) time += 1;
  return new Date(time).toISOString();
}

/** Whether the last report of a kind had a row there already that could not be read. */
function isUnread({ reports }: StoredRecords, { kind, stateCode }: UnreadableRow): boolean {
  const last = inOrder(reports.filter(({ isFound, kinds }) => isFound && kinds.includes(kind))).at(-1);
  return last !== undefined && isUnreadIn(last.unread, kind, stateCode);
}

/** The rows of a report, with our own members: a row that changed is as new as the report. */
function rowsOf(
  { _id: registryDataSubscriptionId, dataOwnerId: owner, npn }: Subscriber,
  { licenses, appointments, actions }: RegistryReport,
  storedHolder: StoredHolder,
  time: Date,
) {
  const knownActions = new Map(
    actionsOf(storedHolder.coverage).map((action) => [`${action.stateCode} ${action.actionId}`, action]),
  );
  const updatedAt = time.toISOString();
  const ownFields = { registryDataSubscriptionId, npn, updatedAt };
  return {
    license: licenses?.map((license) => ({ ...license, ...ownFields })),
    appointment: appointments?.map((appointment) => ({ ...appointment, ...ownFields })),
    'regulatory action': actions?.map((reportedAction): RegulatoryAction => {
      const namedAction = { ...reportedAction, npn };
      const knownAction = knownActions.get(`${namedAction.stateCode} ${namedAction.actionId}`);
      const { _id = regulatoryActionIdOf(owner, namedAction), createdAt = updatedAt } = knownAction ?? {};
      const action = { _id, ...reportedAction, ...ownFields, createdAt };
      return knownAction !== undefined && isSameRow(action, knownAction)
        ? { ...action, updatedAt: knownAction.updatedAt }
        : action;
    }),
  };
}

/** The items of the event that a subscriber's records changed. Agencies have no webhooks. */
export const synchronizedEvent = (
  events: EventItems<'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED'>,
  { _id: registryDataSubscriptionId, dataOwnerId, dataOwnerModel, npn }: Subscriber,
  time: Date,
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
        time,
      )
    : [];
