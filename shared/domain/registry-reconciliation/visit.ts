import { createHash } from 'node:crypto';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { recordsChanged } from '../compliance/inputs-changed.ts';
import { derivedEventId } from '../events/stored.ts';
import type { EventItems, NewEvent } from '../events/transaction-items.ts';
import type { PartyOfNpn } from '../npn-holders/holders.ts';
import type { Registry, RegistryPolls, RegistryReport } from '../registry/registry.ts';
import type { RegulatoryAction } from '../registry/resources.ts';
import type { Written } from '../registry-records/holder-facts.ts';
import {
  askAgainIfSuperseded,
  newVisit,
  type StoredRecords,
  type SubscriberRecords,
  synchronizedEvent,
  type VisitedSubscription,
} from '../registry-records/subscriber-records.ts';
import {
  type Amendment,
  amendableOf,
  amendmentOf,
  heldActions,
  type ReconciliationStore,
  upToDate,
} from './store.ts';

/** What the reports of actions came to. */
export interface ActionTotals {
  /** Actions that the registry or an import reported. */
  readonly actions: number;
  readonly added: number;
  readonly updated: number;
}

/**
 * Compares the actions that are stored of a license holder with what was last reported for them, and reports what is new and
 * what differs (OpenAPI, "Events"), whoever stored it.
 */
async function reportActions(
  owner: string,
  holders: readonly PartyOfNpn[],
  stored: StoredRecords,
  { store, events, now }: VisitDeps,
): Promise<ActionTotals> {
  const held = heldActions(stored);
  const sums = { actions: held.length, added: 0, updated: 0 };
  for (const { action, report } of held) {
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
    const whose = { ...common, entityId: agentId };
    return amendment === undefined
      ? { ...whose, type: 'AGENT_REGULATORY_ACTION_ADDED', payload: { agentId, ...action } }
      : { ...whose, type: 'AGENT_REGULATORY_ACTION_UPDATED', payload: { agentId, ...action, ...amendment } };
  }
  const { downstreamEntityAssociationId } = holder;
  const whose = { ...common, entityId: downstreamEntityAssociationId };
  const payload = { downstreamEntityAssociationId, ...action };
  return amendment === undefined
    ? { ...whose, type: 'DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED', payload }
    : {
        ...whose,
        type: 'DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED',
        payload: { ...payload, ...amendment },
      };
}

/** What the visit of one subscriber works with. */
export interface VisitDeps {
  readonly store: Pick<ReconciliationStore, 'subscriber' | 'visited' | 'report'>;
  readonly records: SubscriberRecords;
  readonly registry: Pick<RegistryPolls, 'poll' | 'pollFor'> & Pick<Registry, 'subscribe'>;
  readonly events: EventItems;
  readonly now: () => Date;
  /** Called where rows of an NPN are set aside that were not. */
  readonly onSetAside: (npn: string, rows: number, report: RegistryReport) => void;
}

/**
 * Visits the registry for one subscriber.
 * @param ask what the registry reports to everybody, by the number of the attempt, from 1.
 * @throws VisitSuperseded when other visits were recorded each time; RegistryUnavailable.
 */
export const visitFor = (
  { subscription: before, ...whose }: Omit<Update, 'report'>,
  ask: (attempt: number) => RegistryReport | Promise<RegistryReport>,
  deps: VisitDeps,
) =>
  askAgainIfSuperseded(async (attempt) => {
    const subscription = attempt === 1 ? before : ((await deps.store.subscriber(before)) ?? before);
    const ofAll = await ask(attempt);
    const own = await deps.registry.pollFor?.(before.npn, before.dataOwnerId);
    return update({ ...whose, subscription, report: own ?? ofAll }, deps);
  });

/** Whether the registry said anything of licenses or appointments. */
export const isKnown = ({ licenses, appointments }: RegistryReport): boolean =>
  licenses !== undefined || appointments !== undefined;

/** Events are for carriers. */
export const isOfCarrier = ({ dataOwnerModel }: VisitedSubscription): boolean =>
  dataOwnerModel === 'upstreamEntity';

interface Update {
  readonly subscription: VisitedSubscription;
  /** Whom the events name; nobody for agencies, and where the carrier has nobody with the NPN any more. */
  readonly holders: readonly PartyOfNpn[];
  readonly report: RegistryReport;
  readonly isSilent: boolean;
}

/** The items of the event that a poll changed something: of regulatory actions alone, carriers get events of their own. */
function changedEvent(
  events: EventItems,
  subscription: VisitedSubscription,
  { isChanged, isJudged }: Written,
  at: Date,
): readonly TransactionItem[] {
  if (isChanged) return synchronizedEvent(events, subscription, at);
  const { dataOwnerId, dataOwnerModel, npn } = subscription;
  return isJudged && dataOwnerModel === 'upstreamEntity'
    ? events([recordsChanged(dataOwnerId, npn)], at)
    : [];
}

/**
 * Brings one subscriber's records up to date, and then reports the actions of its holders: where it stops between, the next poll
 * reports them.
 */
async function update(
  { subscription, holders, report, isSilent }: Update,
  deps: VisitDeps,
): Promise<ActionTotals & { readonly isChanged: boolean }> {
  const { store, records, events, now } = deps;
  const visit = newVisit(subscription);
  const saysSomething = isKnown(report) || report.isNotFound === true || report.actions.length > 0;
  const { isChanged, items, setAside } = await records.apply(subscription, report, {
    by: 'reconciliation',
    isSilent,
    guard: store.visited(subscription, visit),
    last: (written) => {
      const changes = isKnown(report) ? upToDate(subscription, written.isChanged, now()) : {};
      return [
        ...(saysSomething ? [store.visited(subscription, visit, changes)] : []),
        ...(holders.length > 0 ? changedEvent(events, subscription, written, now()) : []),
      ];
    },
  });
  if (setAside > 0) deps.onSetAside(subscription.npn, setAside, report);
  const totals =
    holders.length === 0
      ? { actions: report.actions.length, added: 0, updated: 0 }
      : await reportActions(subscription.dataOwnerId, holders, items, deps);
  return { ...totals, isChanged };
}
