import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { concurrently } from '../data/concurrently.ts';
import { StoredItemError } from '../data/stored.ts';
import { derivedEventId } from '../events/stored.ts';
import type { EventItems, NewEvent } from '../events/transaction-items.ts';
import type { NpnHolder, NpnHolders } from '../npn-holders/holders.ts';
import { checkFinished, runJobs } from '../queue/scheduled-jobs.ts';
import type { Registry, RegistryAction } from '../registry/registry.ts';
import { regulatoryActionIdOf } from '../registry-records/stored.ts';
import type { RegistryDataSubscription } from '../resources/registry-data-subscription.ts';
import type { RegulatoryAction } from '../resources/regulatory-action.ts';
import { type Amendment, amendableOf, amendmentOf } from './amendment.ts';
import { type ReconciledSubscription, type ReconciliationJob, subscriptionsOfJob } from './jobs.ts';
import { actionKey, type HeldAction, type ReconciliationStore } from './store.ts';

export interface ReconciliationDeps {
  readonly store: ReconciliationStore;
  readonly registry: Pick<Registry, 'fetchRegulatoryActions'>;
  readonly holders: NpnHolders;
  readonly events: EventItems;
  readonly now: () => Date;
  /**
   * Called for each subscription that could not be processed; the others are processed. One that cannot be read has no
   * ids here: the error names its item.
   */
  readonly onFailure: (subscription: Partial<ReconciledSubscription>, error: unknown) => void;
}

/** The result of a job. */
export interface ReconciliationTotals {
  readonly subscriptions: number;
  /** Actions that the registry or an import reports. */
  readonly actions: number;
  readonly added: number;
  readonly updated: number;
  /** Subscriptions that could not be processed. */
  readonly failed: number;
}

const noTotals: ReconciliationTotals = { subscriptions: 0, actions: 0, added: 0, updated: 0, failed: 0 };

/** The jobs of a reconciliation of every subscription of every carrier, page by page. */
export async function* reconciliationJobs(
  asOf: Date,
  store: ReconciliationStore,
): AsyncGenerator<readonly ReconciliationJob[]> {
  for await (const some of store.subscriptions()) {
    yield Array.from({ length: Math.ceil(some.length / subscriptionsOfJob) }, (_, index) => ({
      asOf: asOf.toISOString(),
      subscriptions: some.slice(index * subscriptionsOfJob, (index + 1) * subscriptionsOfJob),
    }));
  }
}

/** Calls to the registry at once. */
const concurrency = 5;

/**
 * Does a job. It may be done any number of times, also by several workers at once.
 * @throws JobUnfinished when some subscriptions could not be processed, after all the others were.
 */
export async function reconcile(
  job: ReconciliationJob,
  deps: ReconciliationDeps,
): Promise<ReconciliationTotals> {
  const totals = await report(job, deps);
  checkFinished(totals);
  return totals;
}

/**
 * Compares the actions against some license holders with what was last reported for them, and reports what is new and
 * what differs (OpenAPI, "Events").
 */
async function report(job: ReconciliationJob, deps: ReconciliationDeps): Promise<ReconciliationTotals> {
  const read = await deps.store.read(job.subscriptions);
  const sums = { ...noTotals, subscriptions: read.length };
  const fail = (subscription: Partial<ReconciledSubscription>, error: unknown): void => {
    sums.failed += 1;
    deps.onFailure(subscription, error);
  };
  const subscriptions = read.flatMap((one) => {
    if (!(one instanceof StoredItemError)) return [one];
    fail({}, one);
    return [];
  });
  const holders = await deps.holders(subscriptions);
  await concurrently(subscriptions, concurrency, async (subscription) => {
    const holder = holders.get(subscription._id);
    try {
      if (holder === undefined) throw new Error('A subscription has no holder.');
      const { actions, added, updated } = await reconcileOne(subscription, holder, new Date(job.asOf), deps);
      sums.actions += actions;
      sums.added += added;
      sums.updated += updated;
    } catch (error) {
      const { dataOwnerId: organizationId, _id: registryDataSubscriptionId } = subscription;
      fail({ organizationId, registryDataSubscriptionId }, error);
    }
  });
  return sums;
}

/** Jobs done at once where they are not queued; each calls the registry several times at once. */
const jobsAtOnce = 2;

/** A reconciliation as of an instant, without the queue; returns its totals. Failures are left to the next one. */
export const reconcileAll = (asOf: Date, deps: ReconciliationDeps): Promise<ReconciliationTotals> =>
  runJobs(reconciliationJobs(asOf, deps.store), {
    concurrency: jobsAtOnce,
    zero: noTotals,
    work: (job) => report(job, deps),
    onFailure: ({ subscriptions }, error) => {
      for (const subscription of subscriptions) deps.onFailure(subscription, error);
      return { ...noTotals, subscriptions: subscriptions.length, failed: subscriptions.length };
    },
  });

/** Reports what is new or differs for one license holder. */
async function reconcileOne(
  subscription: RegistryDataSubscription,
  holder: NpnHolder,
  asOf: Date,
  { store, registry, events, now }: ReconciliationDeps,
): Promise<Pick<ReconciliationTotals, 'actions' | 'added' | 'updated'>> {
  const [reported, held] = await Promise.all([
    registry.fetchRegulatoryActions(subscription.npn),
    store.actionsOf(subscription),
  ]);
  const actions = currentActions(subscription, reported, held, asOf);
  const sums = { actions: actions.size, added: 0, updated: 0 };
  for (const [key, action] of actions) {
    const known = held.get(key);
    const amendment = known?.report && amendmentOf(known.report.fields, action);
    if (known?.report !== undefined && amendment === undefined) continue;
    const event = eventOf(subscription, holder, action, known?.report?.version ?? 0, amendment);
    if (!(await store.report(subscription.dataOwnerId, action, known, events([event], now())))) continue;
    if (amendment === undefined) sums.added += 1;
    else sums.updated += 1;
  }
  return sums;
}

/** The current actions: those of the registry, and stored ones that it does not report, by state and action. */
function currentActions(
  { _id: registryDataSubscriptionId, dataOwnerId, npn }: RegistryDataSubscription,
  reported: readonly RegistryAction[],
  held: ReadonlyMap<string, HeldAction>,
  asOf: Date,
): ReadonlyMap<string, RegulatoryAction> {
  const actions = new Map<string, RegulatoryAction>();
  for (const [key, { action }] of held) if (action !== undefined) actions.set(key, action);
  const at = asOf.toISOString();
  for (const one of reported) {
    const key = actionKey(one);
    const known = held.get(key)?.action;
    const action: RegulatoryAction = {
      _id: known?._id ?? regulatoryActionIdOf(dataOwnerId, { ...one, npn }),
      registryDataSubscriptionId,
      npn,
      ...one,
      createdAt: known?.createdAt ?? at,
      updatedAt: at,
    };
    const isSame = known !== undefined && isDeepStrictEqual(amendableOf(known), amendableOf(action));
    actions.set(key, isSame ? known : action);
  }
  return actions;
}

function eventOf(
  { _id: subscriptionId, dataOwnerId: owner }: RegistryDataSubscription,
  holder: NpnHolder,
  { createdAt: _createdAt, updatedAt: _updatedAt, ...action }: RegulatoryAction,
  version: number,
  amendment: Amendment | undefined,
): NewEvent {
  const values = createHash('sha256')
    .update(JSON.stringify(amendableOf(action)))
    .digest('hex');
  const { npn, stateCode, actionId } = action;
  const common = {
    upstreamEntityId: owner,
    // An action is first reported once, whatever it says; an amendment once after each report.
    eventId:
      amendment === undefined
        ? derivedEventId('action', owner, npn, stateCode, actionId)
        : derivedEventId('action', owner, npn, stateCode, actionId, String(version), values),
  };
  if (holder.model === 'agent') {
    const { agentId } = holder;
    const whose = { ...common, entityId: agentId ?? subscriptionId };
    return amendment === undefined
      ? { ...whose, type: 'AGENT_REGULATORY_ACTION_ADDED', payload: { agentId, ...action } }
      : { ...whose, type: 'AGENT_REGULATORY_ACTION_UPDATED', payload: { agentId, ...action, ...amendment } };
  }
  const { downstreamEntityAssociationId } = holder;
  const whose = { ...common, entityId: downstreamEntityAssociationId ?? subscriptionId };
  const payload = { downstreamEntityAssociationId, ...action };
  return amendment === undefined
    ? { ...whose, type: 'DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED', payload }
    : {
        ...whose,
        type: 'DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED',
        payload: { ...payload, ...amendment },
      };
}
