import type { PartiesOfNpns } from '../../shared/domain/npn-holders/holders.ts';
import type { RegistryReport } from '../../shared/domain/registry/registry.ts';
import type { ReconciliationStore } from '../../shared/domain/registry-reconciliation/store.ts';
import {
  type ActionTotals,
  isKnown,
  isOfCarrier,
  type VisitDeps,
  visitFor,
} from '../../shared/domain/registry-reconciliation/visit.ts';
import type { SubscribedNpns } from '../../shared/domain/registry-records/subscriptions.ts';
import type { Pace } from '../../shared/platform/data/pace.ts';
import { readable } from '../../shared/platform/data/stored.ts';
import { by, type Clocks } from '../../shared/platform/dates/dates.ts';
import type { Newcomer } from './jobs.ts';

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
