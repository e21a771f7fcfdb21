import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { derivedEventId } from '../events/stored.ts';
import type { EventItems, NewEvent } from '../events/transaction-items.ts';
import type { NpnHolder } from '../npn-holders/holders.ts';
import type { RegistryAction, RegistryReport } from '../registry/registry.ts';
import type { RegistryDataSubscription } from '../registry-records/registry-data-subscription.ts';
import type { RegulatoryAction } from '../registry-records/regulatory-action.ts';
import { regulatoryActionIdOf } from '../registry-records/stored.ts';
import type { StoredRecords } from '../registry-records/subscriber-records.ts';
import { type Amendment, amendableOf, amendmentOf } from './amendment.ts';
import { actionKey, type HeldAction, heldActions } from './reported-actions.ts';
import type { ReconciliationStore } from './store.ts';

/** What the reports of actions came to. */
export interface ActionTotals {
  /** Actions that the registry or an import reports. */
  readonly actions: number;
  readonly added: number;
  readonly updated: number;
}

interface HeldSubscription {
  readonly subscription: RegistryDataSubscription;
  readonly holder: NpnHolder;
  readonly report: RegistryReport;
  readonly stored: StoredRecords;
  /** The time of the changes, as the actions show it. */
  readonly asOf: Date;
}

interface ReportDeps {
  readonly store: Pick<ReconciliationStore, 'report'>;
  readonly events: EventItems;
  readonly now: () => Date;
}

/**
 * Compares the actions against a license holder with what was last reported for them, and reports what is new and what
 * differs (OpenAPI, "Events"); each action is written with its event.
 */
export async function reportActions(
  { subscription, holder, report, stored, asOf }: HeldSubscription,
  { store, events, now }: ReportDeps,
): Promise<ActionTotals> {
  const held = heldActions(stored);
  const actions = currentActions(subscription, report.actions, held, asOf);
  const sums = { actions: actions.size, added: 0, updated: 0 };
  for (const [key, action] of actions) {
    const known = held.get(key);
    const amendment = known?.report && amendmentOf(known.report.fields, action);
    if (known?.report !== undefined && amendment === undefined) continue;
    const event = eventOf(holder, subscription.dataOwnerId, action, known?.report?.version ?? 0, amendment);
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
  holder: NpnHolder,
  owner: string,
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
