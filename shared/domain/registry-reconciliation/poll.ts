import { createHash } from 'node:crypto';
import type { Pace } from '../../platform/data/pace.ts';
import { readable } from '../../platform/data/stored.ts';
import type { TransactionItem } from '../../platform/data/transact.ts';
import { by, type Clocks } from '../../platform/dates/dates.ts';
import { recordsChanged } from '../compliance/stored.ts';
import { derivedEventId } from '../events/stored.ts';
import type { EventItems, NewEvent } from '../events/transaction-items.ts';
import type { PartiesOfNpns, PartyOfNpn } from '../npn-holders/holders.ts';
import type { Registry, RegistryPolls, RegistryReport } from '../registry/registry.ts';
import type { RegulatoryAction } from '../registry/resources.ts';
import type { Written } from '../registry-records/holder-writes.ts';
import {
  askAgainIfSuperseded,
  newVisit,
  type StoredRecords,
  type SubscriberRecords,
  synchronizedEvent,
  type VisitedSubscription,
} from '../registry-records/subscriber-records.ts';
import type { SubscribedNpns } from '../registry-records/subscriptions.ts';
import { type Amendment, amendableOf, amendmentOf } from './amendment.ts';
import type { Newcomer } from './jobs.ts';
import { heldActions } from './reported-actions.ts';
import { type ReconciliationStore, upToDate } from './store.ts';

/** What the reports of actions came to. */
interface ActionTotals {
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
    const drafts = holders.map((holder) => eventOf(holder, owner, action, version, amendment));
    if (!(await store.report(owner, action, report, events(drafts, now())))) continue;
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

export interface PollDeps extends VisitDeps {
  readonly store: ReconciliationStore;
  readonly npns: Pick<SubscribedNpns, 'polled' | 'named'>;
  readonly holders: PartiesOfNpns;
  /** The slots in which the registry is asked again. */
  readonly pace: Pace;
  readonly clocks?: Clocks | undefined;
  /** Called for each NPN or subscriber that could not be processed; the others are. */
  readonly onFailure: (context: Readonly<Record<string, string>>, error: unknown) => void;
}

/** What a poll came to. */
export interface PollTotals extends ActionTotals {
  /** Subscribers of the NPN. */
  readonly subscriptions: number;
  /** Those whose licenses or appointments the registry had changed. */
  readonly changed: number;
  /** Subscribers that could not be processed, or the NPN where the registry could not be read. */
  readonly failed: number;
}

/**
 * One poll: reads the registry once, and brings the records of everybody who subscribes to the NPN up to date, with the
 * events of it. It may be repeated any number of times, also concurrently; only when nothing failed is it recorded.
 * @param newcomers those whose first poll it is. The records of those among them that are silent are brought up to date without
 *   events; the next poll sends what is still to be reported.
 */
export async function pollNpn(
  npn: string,
  newcomers: readonly Newcomer[],
  deps: PollDeps,
): Promise<PollTotals> {
  const { store, npns, registry, holders, pace, now } = deps;
  const silentOwners = new Set(newcomers.filter(({ isSilent }) => isSilent).map(({ owner }) => owner));
  const sums = { subscriptions: 0, changed: 0, actions: 0, added: 0, updated: 0, failed: 0 };
  const fail = (context: Readonly<Record<string, string>>, error: unknown): void => {
    sums.failed += 1;
    deps.onFailure({ npn, ...context }, error);
  };
  // A reconciliation that begins later asks the registry again: it may have changed since this poll read it.
  const begunAt = now();
  try {
    const owners = newcomers.map(({ owner }) => owner);
    const read = await store.subscribersOf(npn, owners);
    sums.subscriptions = read.length;
    // Who has a clock of its own is visited in its own nights, but for the first time.
    const visitedAlone = (await deps.clocks?.owners()) ?? new Set();
    const subscriptions = readable(read, (error) => fail({}, error)).filter(
      ({ dataOwnerId }) => owners.includes(dataOwnerId) || !visitedAlone.has(dataOwnerId),
    );
    if (subscriptions.length > 0) {
      const isNew = subscriptions.some((one) => one.pdbAlertsSubscriptionStatus !== 'active');
      const ask = async (): Promise<RegistryReport> => {
        const report = await registry.poll(npn);
        if (isKnown(report) && isNew) await registry.subscribe(npn);
        return report;
      };
      const report = await ask();
      const askAgain = async (): Promise<RegistryReport> => {
        for (const slot of await pace(1)) await slot();
        return ask();
      };
      // Without a holder an action is stored and not reported, so the next reconciliation reports it.
      const loud = subscriptions.filter((one) => isOfCarrier(one) && !silentOwners.has(one.dataOwnerId));
      const found = await holders(loud);
      for (const before of subscriptions) {
        const { dataOwnerId: organizationId, _id } = before;
        try {
          const whose = {
            subscription: before,
            holders: found.get(_id) ?? [],
            isSilent: silentOwners.has(organizationId),
          };
          const visit = () => visitFor(whose, (attempt) => (attempt === 1 ? report : askAgain()), deps);
          const { isChanged, actions, added, updated } = await by(deps.clocks, organizationId, visit);
          sums.changed += isChanged ? 1 : 0;
          sums.actions += actions;
          sums.added += added;
          sums.updated += updated;
        } catch (error) {
          fail({ organizationId, registryDataSubscriptionId: _id }, error);
        }
      }
    }
    // Actions of who is silent are reported by the next poll.
    if (silentOwners.size > 0 && sums.actions > 0) await npns.named(npn, now());
    if (sums.failed === 0) await npns.polled(npn, begunAt);
  } catch (error) {
    fail({}, error);
  }
  return sums;
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
const isKnown = ({ licenses, appointments }: RegistryReport): boolean =>
  licenses !== undefined || appointments !== undefined;

/** Events are for carriers. */
const isOfCarrier = ({ dataOwnerModel }: VisitedSubscription): boolean => dataOwnerModel === 'upstreamEntity';

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
