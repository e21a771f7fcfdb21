import { reportDeps } from '../../shared/domain/compliance-changes/dependencies.ts';
import { reportNow } from '../../shared/domain/compliance-changes/report.ts';
import type { Dependencies } from '../../shared/domain/dependencies.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import type { EventItems } from '../../shared/domain/events/transaction-items.ts';
import { createSweepStore } from '../../shared/domain/license-sweep/store.ts';
import { sweepDay } from '../../shared/domain/license-sweep/sweep.ts';
import { createNpnHolders } from '../../shared/domain/npn-holders/holders.ts';
import type { Registry, RegistryPolls } from '../../shared/domain/registry/registry.ts';
import { reconciliationLog } from '../../shared/domain/registry-reconciliation/log.ts';
import { pollNpn } from '../../shared/domain/registry-reconciliation/poll.ts';
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
import { checkFinished } from '../../shared/platform/queue/scheduled-jobs.ts';
import type { uses } from './uses.ts';

export type NightDependencies = Dependencies<typeof uses, { readonly registry: Registry & RegistryPolls }>;

/** NPNs visited or reported at once. */
const npnsAtOnce = 8;

/**
 * A night of one organization, by its clock: the registry's visits, the license sweep, and the reports of compliance, for which a
 * clock that goes on does not wait.
 */
export function createNight({
  clients: { registry },
  tables,
  context: { logger: log, now },
}: NightDependencies) {
  const holders = createNpnHolders(tables);
  const visits = createReconciliationStore(tables.registryRecords);
  const ofReports = reportDeps({ tables, now, log });
  const failed = (context: object, error: unknown): void =>
    log.error('Work of a night failed.', {
      event: 'sandbox_night_failed',
      ...context,
      error: toError(error),
    });

  /** @throws JobUnfinished when the registry, or what it says, could not be processed. */
  async function visit(subscription: VisitedSubscription, events: EventItems): Promise<void> {
    const totals = await pollNpn(subscription.npn, [], {
      // Nobody else is visited, and nobody else's visit is recorded.
      store: {
        subscribersOf: async () => [subscription],
        subscriber: visits.subscriber,
        visited: visits.visited,
        report: visits.report,
      },
      npns: { polled: async () => undefined, named: async () => false },
      records: createSubscriberRecords(tables.registryRecords, now),
      registry,
      holders,
      events,
      // What is simulated needs no slots.
      pace: async () => [],
      now,
      onFailure: failed,
      onSetAside: reconciliationLog(log).onSetAside,
    });
    checkFinished(totals);
  }

  return async (owner: string, day: CalendarDate, isVisited: boolean): Promise<void> => {
    const { pk } = registryKeys.subscription(owner, '');
    const subscriptions = await collect(tables.registryRecords.query(visitedSubscription, pk));
    const npns = subscriptions.map(({ npn }) => npn);
    const isOfCarrier = subscriptions.some(({ dataOwnerModel }) => dataOwnerModel === 'upstreamEntity');
    const changed = new Set<string>();
    const items = createEventItems(tables.outbox.items);
    const events: EventItems = (drafts, at) => {
      for (const { type, payload } of drafts) {
        const { npn } = payload as { readonly npn?: string };
        if (type === 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED' && npn !== undefined) changed.add(npn);
        // Without an NPN, it is what is required of all.
        if (type === 'COMPLIANCE_INPUTS_CHANGED')
          for (const one of npn === undefined ? npns : [npn]) changed.add(one);
      }
      return items(drafts, at);
    };
    if (isVisited) await concurrently(subscriptions, npnsAtOnce, (one) => visit(one, events));
    // What is not of a holder is in the first shard.
    const inShards = new Set([0, ...npns.map((npn) => shardOf(partitionOf(owner, npn)))]);
    await sweepDay(day, (shard) => inShards.has(shard), {
      store: createSweepStore(tables, (swept) => swept === owner),
      holders,
      events,
      now,
      onFailure: failed,
    });
    if (isOfCarrier) await concurrently(changed, npnsAtOnce, (npn) => reportNow(owner, npn, ofReports));
  };
}
