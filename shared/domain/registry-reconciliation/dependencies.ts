import { createPace } from '../../platform/data/pace.ts';
import { createSweepDays } from '../license-sweep/days.ts';
import { createChangeLists } from '../registry-records/change-list.ts';
import { registryKeys } from '../registry-records/stored.ts';
import { createSubscriberRecords } from '../registry-records/subscriber-records.ts';
import { createSubscribedNpns } from '../registry-records/subscriptions.ts';
import type { Tables } from '../tables.ts';
import { createPollQueue } from './poll-queue.ts';
import type { ReconciliationDeps } from './reconcile.ts';
import { createReconciliationStore } from './store.ts';

interface ReconciliationParts
  extends Pick<
    ReconciliationDeps,
    | 'registry'
    | 'holders'
    | 'events'
    | 'mostCallsANight'
    | 'now'
    | 'clocks'
    | 'onFailure'
    | 'onSetAside'
    | 'onChanges'
    | 'onLeft'
  > {
  readonly tables: Tables<'registryRecords'>;
  /** Polls of the registry in a second, by all functions together. */
  readonly pollsPerSecond: number;
}

/** What a reconciliation needs, for the worker and for the operators' command alike. */
export function createReconciliationDeps({
  tables: { registryRecords: table },
  pollsPerSecond,
  ...parts
}: ReconciliationParts): ReconciliationDeps {
  return {
    ...parts,
    store: createReconciliationStore(table),
    npns: createSubscribedNpns(table),
    changeLists: createChangeLists(table),
    records: createSubscriberRecords(table, parts.now),
    polls: createPollQueue(table, parts.now),
    sweepDays: createSweepDays(table),
    pace: createPace(table, registryKeys.pace(), { perSecond: pollsPerSecond, now: parts.now }),
  };
}
