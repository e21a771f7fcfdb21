import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { collect } from '#platform/data/concurrently.ts';
import { type Changes, exists, oneOf } from '#platform/data/expressions.ts';
import { itemKey, parseStored, storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import type { TransactionItem } from '#platform/data/transact.ts';
import type { Log } from '#platform/log/log.ts';
import { recordsChanged } from '../compliance/inputs-changed.ts';
import { writtenDate } from '../decision/dates.ts';
import { derivedEventId } from '../events/stored.ts';
import { type EventItems, isWritten, type NewEvent, nothingToWrite } from '../events/transaction-items.ts';
import type { PartyOfNpn } from '../npn-holders/holders.ts';
import { type Registry, type RegistryReport, unknownNpn } from '../registry/registry.ts';
import { amendableFieldNames, amendableFields, type RegulatoryAction } from '../registry/resources.ts';
import type { AdditionalItems, WriteOutcome } from '../registry-records/holder-records.ts';
import {
  type RegistryDataSubscription,
  registryDataSubscription,
  shownChanges,
} from '../registry-records/resources.ts';
import { registryKeys, registryPartitions, subscriptionIdOf } from '../registry-records/stored.ts';
import { actionsOf, type StoredItem } from '../registry-records/stored-records.ts';
import { type SubscriberRecords, synchronizedEvent } from '../registry-records/subscriber-records.ts';
import { logUnreadable } from '../registry-records/unreadable-rows.ts';

/** Stored items of an owner's NPN, by sort key. */
type StoredItems = ReadonlyMap<string, StoredItem>;

/** Counts of reported actions. */
export interface ActionTotals {
  /** Actions that the registry or an import reported. */
  readonly actions: number;
  readonly added: number;
  readonly updated: number;
}

/**
 * Compares the actions that are known of a license holder with what was last reported for them, and reports what is new and
 * what differs (OpenAPI, "Events"), whoever recorded it.
 */
async function reportActions(
  owner: string,
  holders: readonly PartyOfNpn[],
  heldActions: readonly HeldAction[],
  { store, events, now }: VisitDeps,
): Promise<ActionTotals> {
  const sums = { actions: heldActions.length, added: 0, updated: 0 };
  for (const { action, report } of heldActions) {
    const amendment = report && amendmentOf(report.fields, action);
    if (report !== undefined && amendment === undefined) continue;
    const version = report?.version ?? 0;
    const newEvents = holders.map((holder) => eventOf(holder, owner, action, version, amendment));
    if (!(await store.report(owner, action, report, events(newEvents, now())))) continue;
    if (amendment === undefined) sums.added += 1;
    else sums.updated += 1;
  }
  return sums;
}

function eventOf(
  holder: PartyOfNpn,
  owner: string,
  { createdAt: _createdAt, updatedAt: _updatedAt, ...action }: RegulatoryAction,
  version: number,
  amendment: Amendment | undefined,
): NewEvent {
  const values = createHash('sha256')
    .update(JSON.stringify(amendableOf(action)))
    .digest('hex');
  const { npn, stateCode, actionId } = action;
  const words = ['action', holder.model, owner, npn, stateCode, actionId];
  const common = {
    upstreamEntityId: owner,
    // An action is first reported once, whatever it says; an amendment once after each report.
    eventId:
      amendment === undefined ? derivedEventId(...words) : derivedEventId(...words, String(version), values),
  };
  if (holder.model === 'agent') {
    const { agentId } = holder;
    const subject = { ...common, entityId: agentId };
    return amendment === undefined
      ? { ...subject, type: 'AGENT_REGULATORY_ACTION_ADDED', payload: { agentId, ...action } }
      : {
          ...subject,
          type: 'AGENT_REGULATORY_ACTION_UPDATED',
          payload: { agentId, ...action, ...amendment },
        };
  }
  const { downstreamEntityAssociationId } = holder;
  const subject = { ...common, entityId: downstreamEntityAssociationId };
  const payload = { downstreamEntityAssociationId, ...action };
  return amendment === undefined
    ? { ...subject, type: 'DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED', payload }
    : {
        ...subject,
        type: 'DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED',
        payload: { ...payload, ...amendment },
      };
}

/** Dependencies of the visit of one subscriber. */
export interface VisitDeps {
  readonly store: Pick<ReconciliationStore, 'visited' | 'synchronized' | 'report'>;
  readonly records: SubscriberRecords;
  readonly registry: Registry;
  readonly events: EventItems;
  readonly now: () => Date;
  readonly log: Log;
}

/** Reads the report of an NPN for everybody who subscribes to it. @throws RegistryUnavailable. */
export const reportToAll = async (registry: Registry, npn: string): Promise<RegistryReport> =>
  (await (registry.visit ?? registry.fetch)(npn)) ?? unknownNpn;

/** Events are for carriers. */
export const isOfCarrier = ({ dataOwnerModel }: RegistryDataSubscription): boolean =>
  dataOwnerModel === 'upstreamEntity';

/** A visit of the registry for one subscriber. */
export interface Visit {
  readonly subscription: RegistryDataSubscription;
  /** The holders that the events name; none for agencies, and where the carrier has nobody with the NPN any more. */
  readonly holders: readonly PartyOfNpn[];
  /** Report of the registry to everybody, and when it was asked. */
  readonly report: RegistryReport;
  readonly askedAt: Date;
  readonly isSilent: boolean;
  readonly moves?: AdditionalItems['moves'];
}

/** The items of the event that a poll changed something: of regulatory actions alone, carriers get events of their own. */
function changedEvent(
  events: EventItems,
  subscription: RegistryDataSubscription,
  { isChanged, isJudged }: WriteOutcome,
  time: Date,
): readonly TransactionItem[] {
  if (isChanged) return synchronizedEvent(events, subscription, time);
  const { dataOwnerId, dataOwnerModel, npn } = subscription;
  return isJudged && dataOwnerModel === 'upstreamEntity'
    ? events([recordsChanged(dataOwnerId, npn)], time)
    : [];
}

/**
 * Brings one subscriber's records up to date, and then reports the actions of its holders: where it stops between, the next visit
 * reports them.
 */
export async function recordVisit(
  { subscription, holders, report: sharedReport, askedAt, isSilent, moves }: Visit,
  deps: VisitDeps,
): Promise<ActionTotals & { readonly isChanged: boolean }> {
  const { store, records, registry, events, now } = deps;
  const { dataOwnerId: owner, npn } = subscription;
  const report = (await registry.visit?.(npn, owner)) ?? sharedReport;
  const isKnown = (report.licenses ?? report.appointments) !== undefined;
  const { isChanged, items, coverage, newlyUnreadable } = await records.apply(subscription, report, {
    isSilent,
    moment: askedAt,
    moves,
    last: (outcome) => [
      ...(isKnown ? [store.visited(subscription, upToDate(subscription, outcome.isChanged, now()))] : []),
      ...(holders.length > 0 ? changedEvent(events, subscription, outcome, now()) : []),
    ],
  });
  if (isKnown && isUnsynchronized(subscription)) await store.synchronized(subscription, now());
  if (newlyUnreadable > 0) logUnreadable(deps.log, npn, newlyUnreadable, report);
  const totals =
    holders.length === 0
      ? { actions: report.actions?.length ?? 0, added: 0, updated: 0 }
      : await reportActions(owner, holders, actionsOf(coverage).map(withLastReport(owner, items)), deps);
  return { ...totals, isChanged };
}

// What a reconciliation reads and writes besides an NPN's records: its subscriptions, and what was last reported of its
// regulatory actions.

/** Reads and writes of a poll besides the records. */
export type ReconciliationStore = ReturnType<typeof createReconciliationStore>;

export function createReconciliationStore(table: Table<'by-npn'>) {
  return {
    /**
     * Subscriptions of an NPN, of organizations of either kind. The index of them lags: the latest may be missing, unless their
     * owners are named.
     */
    async subscribersOf(npn: string, owners: readonly string[]) {
      const partition = registryPartitions.subscribersOf(npn);
      const subscriberKeys = await collect(table.query(itemKey, partition, { index: 'by-npn' }));
      const ownerKeys = owners.map((owner) => registryKeys.subscription(owner, subscriptionIdOf(owner, npn)));
      return table.getAll(registryDataSubscription, [...subscriberKeys, ...ownerKeys]);
    },

    /** The item that records a visit of an existing subscription. */
    visited: ({ dataOwnerId, _id }: RegistryDataSubscription, changes: Changes) =>
      table.items.update(registryKeys.subscription(dataOwnerId, _id), changes, exists),

    /** Records that a subscription is synchronized, unless a synchronization is under way: that goes on. */
    synchronized: ({ dataOwnerId, _id }: RegistryDataSubscription, time: Date): Promise<boolean> =>
      table.update(
        registryKeys.subscription(dataOwnerId, _id),
        shownChanges(
          { dataOwnerId, _id },
          { 'entityInfo.status': 'success', 'entityInfo.message': null },
          time,
        ),
        { 'entityInfo.status': oneOf(...unsynchronizedStatuses) },
      ),

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

/** Statuses of a subscription that a visit synchronizes: it never was, or its last synchronization failed. */
const unsynchronizedStatuses = ['not started', 'failed'] as const;

const isUnsynchronized = ({ entityInfo: { status } }: RegistryDataSubscription): boolean =>
  unsynchronizedStatuses.some((name) => name === status);

/**
 * The changes that say that a subscription is up to date. They count as a change of the subscription only where records changed, or
 * something else of it than the time of the visit.
 */
export function upToDate(subscription: RegistryDataSubscription, isChanged: boolean, time: Date): Changes {
  const isShown = isChanged || subscription.pdbAlertsSubscriptionStatus !== 'active';
  const changes = { lastSynchronizationDate: time.toISOString(), pdbAlertsSubscriptionStatus: 'active' };
  return isShown ? shownChanges(subscription, changes, time) : changes;
}

/** The last report of an action. */
interface Report {
  /** Rises by one with each report. */
  readonly version: number;
  /** Undefined where it cannot be read. */
  readonly fields: AmendableFields | undefined;
}

const reportVersion = storedItem('registry-records/report-version', { version: z.int() });

const reportedFields = storedItem('registry-records/reported-fields', { fields: amendableFields });

interface HeldAction {
  readonly action: RegulatoryAction;
  readonly report: Report | undefined;
}

/** Finds what was last reported for an action among the items of its holder. */
const withLastReport =
  (owner: string, items: StoredItems) =>
  (action: RegulatoryAction): HeldAction => {
    const item = items.get(registryKeys.reported(owner, action).sk);
    const report = item && {
      version: parseStored(reportVersion, item).version,
      fields: z.safeParse(reportedFields, item).data?.fields,
    };
    return { action, report };
  };

type AmendableField = (typeof amendableFieldNames)[number];

/** The fields of an action that a state may amend. */
export type AmendableFields = Pick<RegulatoryAction, AmendableField>;

/** Changes of an action since it was last reported (OpenAPI, "Events"). */
interface Amendment {
  changedFields: AmendableField[];
  /** The former values of the changed fields; null where they cannot be read. */
  previousValues: Partial<AmendableFields> | null;
}

export const amendableOf = (action: AmendableFields): AmendableFields => z.parse(amendableFields, action);

const dateFields: readonly string[] = ['dateOfAction', 'effectiveDate', 'enterDate'];

function isSame(field: AmendableField, lastFields: AmendableFields, action: AmendableFields): boolean {
  const [first, second] = [lastFields[field], action[field]];
  if (first === second) return true;
  const areDates = dateFields.includes(field) && typeof first === 'string' && typeof second === 'string';
  return areDates && writtenDate(first) === writtenDate(second);
}

/**
 * Compares an action with what was last reported for it; undefined where nothing changed.
 * @param lastFields undefined where it cannot be read any more: then every field may have changed.
 */
export function amendmentOf(
  lastFields: AmendableFields | undefined,
  action: AmendableFields,
): Amendment | undefined {
  if (lastFields === undefined) return { changedFields: [...amendableFieldNames], previousValues: null };
  const changedFields = amendableFieldNames.filter((field) => !isSame(field, lastFields, action));
  if (changedFields.length === 0) return undefined;
  const previousValues = Object.fromEntries(changedFields.map((field) => [field, lastFields[field]]));
  return { changedFields, previousValues };
}
