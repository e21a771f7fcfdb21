import { createHash } from 'node:crypto';
import { derivedEventId } from '../events/stored.ts';
import type { EventItems, NewEvent } from '../events/transaction-items.ts';
import type { NpnHolder } from '../npn-holders/holders.ts';
import type { RegistryDataSubscription } from '../registry-records/registry-data-subscription.ts';
import type { RegulatoryAction } from '../registry-records/regulatory-action.ts';
import type { StoredRecords } from '../registry-records/subscriber-records.ts';
import { type Amendment, amendableOf, amendmentOf } from './amendment.ts';
import { heldActions } from './reported-actions.ts';
import type { ReconciliationStore } from './store.ts';

/** What the reports of actions came to. */
export interface ActionTotals {
  /** Actions that the registry or an import reported. */
  readonly actions: number;
  readonly added: number;
  readonly updated: number;
}

interface HeldSubscription {
  readonly subscription: RegistryDataSubscription;
  readonly holder: NpnHolder;
  readonly stored: StoredRecords;
}

interface ReportDeps {
  readonly store: Pick<ReconciliationStore, 'report'>;
  readonly events: EventItems;
  readonly now: () => Date;
}

/**
 * Compares the actions that are stored of a license holder with what was last reported for them, and reports what is new and
 * what differs (OpenAPI, "Events"), whoever stored it.
 */
export async function reportActions(
  { subscription: { dataOwnerId }, holder, stored }: HeldSubscription,
  { store, events, now }: ReportDeps,
): Promise<ActionTotals> {
  const held = heldActions(stored);
  const sums = { actions: held.length, added: 0, updated: 0 };
  for (const { action, report } of held) {
    const amendment = report && amendmentOf(report.fields, action);
    if (report !== undefined && amendment === undefined) continue;
    const event = eventOf(holder, dataOwnerId, action, report?.version ?? 0, amendment);
    if (!(await store.report(dataOwnerId, action, report, events([event], now())))) continue;
    if (amendment === undefined) sums.added += 1;
    else sums.updated += 1;
  }
  return sums;
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
