import { reportDeps } from '../../shared/domain/compliance-changes/dependencies.ts';
import { reportNow } from '../../shared/domain/compliance-changes/report.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { derivedEventId } from '../../shared/domain/events/stored.ts';
import type { EventItems } from '../../shared/domain/events/transaction-items.ts';
import type { Resources } from '../../shared/domain/function.ts';
import { createSweepStore } from '../../shared/domain/license-sweep/store.ts';
import { sweepDay } from '../../shared/domain/license-sweep/sweep.ts';
import { createNpnHolders } from '../../shared/domain/npn-holders/holders.ts';
import type { Registry, RegistryPolls } from '../../shared/domain/registry/registry.ts';
import { reconciliationLog } from '../../shared/domain/registry-reconciliation/log.ts';
import { visitFor } from '../../shared/domain/registry-reconciliation/poll.ts';
import { createReconciliationStore } from '../../shared/domain/registry-reconciliation/store.ts';
import { partitionOf, registryKeys, shardOf } from '../../shared/domain/registry-records/stored.ts';
import { createSubscriberRecords } from '../../shared/domain/registry-records/subscriber-records.ts';
import {
  type VisitedSubscription,
  visitedSubscription,
} from '../../shared/domain/registry-records/visits.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import type { CalendarDate } from '../../shared/platform/dates/calendar.ts';
import { toError } from '../../shared/platform/log/log.ts';
import type { uses } from './uses.ts';

export interface OwnResources {
  readonly registry: Registry & RegistryPolls;
}

/** NPNs visited or reported at once. */
export const npnsAtOnce = 8;

/** What is done in a night. */
interface Tasks {
  /** The day that is swept, if one is. */
  readonly night?: CalendarDate;
  /** Days before it that are swept with it. */
  readonly missed?: readonly CalendarDate[];
  /** Whether the registry is visited for all NPNs. */
  readonly visits: boolean;
  /** Since when the clock is ahead: what its nights report has other ids than what is reported once it was set back. */
  readonly since?: string | undefined;
}

/**
 * A night of one organization, by its clock: the registry's visits, the license sweep, and the reports of compliance, for which a
 * clock that goes on does not wait.
 */
export function createNight({
  registry,
  tables,
  context: { logger: log, now },
}: Resources<typeof uses, OwnResources>) {
  const holders = createNpnHolders(tables);
  const ofVisits = {
    store: createReconciliationStore(tables.registryRecords),
    records: createSubscriberRecords(tables.registryRecords, now),
    registry,
    onSetAside: reconciliationLog(log).onSetAside,
    now,
  };
  const ofReports = reportDeps({ tables, now, log });
  const items = createEventItems(tables.outbox.items);
  const failed = (context: object, error: unknown): void =>
    log.error('Work of a night failed.', {
      event: 'sandbox_night_failed',
      ...context,
      error: toError(error),
    });

  /** @throws what the registry, or what it says, could not be processed for. */
  async function visit(subscription: VisitedSubscription, events: EventItems): Promise<void> {
    const { npn, _id, dataOwnerModel } = subscription;
    try {
      const found = dataOwnerModel === 'upstreamEntity' ? await holders([subscription]) : undefined;
      const whose = { subscription, holders: found?.get(_id) ?? [], isSilent: false };
      await visitFor(whose, () => registry.poll(npn), { ...ofVisits, events });
    } catch (error) {
      failed({ npn }, error);
      throw error;
    }
  }

  return async (owner: string, { night, missed = [], visits, since }: Tasks): Promise<void> => {
    const { pk } = registryKeys.subscription(owner, '');
    const subscriptions = await collect(tables.registryRecords.query(visitedSubscription, pk));
    const npns = subscriptions.map(({ npn }) => npn);
    const isOfCarrier = subscriptions.some(({ dataOwnerModel }) => dataOwnerModel === 'upstreamEntity');
    const changed = new Set<string>();
    const events: EventItems = (drafts, at) => {
      for (const { type, payload } of drafts) {
        const { npn } = payload as { readonly npn?: string };
        if (type === 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED' && npn !== undefined) changed.add(npn);
        // Without an NPN, it is what is required of all.
        if (type === 'COMPLIANCE_INPUTS_CHANGED')
          for (const one of npn === undefined ? npns : [npn]) changed.add(one);
      }
      const named = drafts.map((one) =>
        one.eventId === undefined || since === undefined
          ? one
          : { ...one, eventId: derivedEventId('clock', since, one.eventId) },
      );
      return items(named, at);
    };
    if (visits) await concurrently(subscriptions, npnsAtOnce, (one) => visit(one, events));
    if (night !== undefined) {
      // What is not of a holder is in the first shard.
      const inShards = new Set([0, ...npns.map((npn) => shardOf(partitionOf(owner, npn)))]);
      const store = createSweepStore(tables, async () => (swept) => swept === owner);
      const deps = { store, holders, events, now, onFailure: failed };
      for (const day of [...missed, night]) await sweepDay(day, night, (shard) => inShards.has(shard), deps);
    }
    if (isOfCarrier) await concurrently(changed, npnsAtOnce, (npn) => reportNow(owner, npn, ofReports));
  };
}
