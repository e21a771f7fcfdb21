import * as z from 'zod/mini';
import { configHeads } from '../../shared/domain/compliance/store.ts';
import { complianceKeys } from '../../shared/domain/compliance/stored.ts';
import { reportDeps, reportNow } from '../../shared/domain/compliance-changes/report.ts';
import { expiredOn, expiringOn } from '../../shared/domain/decision/renewal.ts';
import { feedKeys } from '../../shared/domain/events/feed.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import { derivedEventId } from '../../shared/domain/events/stored.ts';
import type { EventItems } from '../../shared/domain/events/transaction-items.ts';
import type { Resources } from '../../shared/domain/function.ts';
import { createSweepStore } from '../../shared/domain/license-sweep/store.ts';
import { sweepDay } from '../../shared/domain/license-sweep/sweep.ts';
import { createPartiesOfNpns } from '../../shared/domain/npn-holders/holders.ts';
import type { Registry } from '../../shared/domain/registry/registry.ts';
import { simulatedKeys } from '../../shared/domain/registry/simulated-record.ts';
import {
  createReconciliationStore,
  reportToAll,
  type VisitDeps,
  visitFor,
} from '../../shared/domain/registry-reconciliation/visit.ts';
import { shownChanges } from '../../shared/domain/registry-records/resources.ts';
import { partitionOf, registryKeys, shardOf } from '../../shared/domain/registry-records/stored.ts';
import {
  createSubscriberRecords,
  type VisitedSubscription,
  visitedSubscription,
} from '../../shared/domain/registry-records/subscriber-records.ts';
import type { Tables } from '../../shared/domain/tables.ts';
import { collect, concurrently, mapConcurrently } from '../../shared/platform/data/concurrently.ts';
import { exists } from '../../shared/platform/data/expressions.ts';
import { compare } from '../../shared/platform/data/keys.ts';
import { itemKey, storedItem } from '../../shared/platform/data/stored.ts';
import type { CalendarDate } from '../../shared/platform/dates/dates.ts';
import { toError } from '../../shared/platform/log/log.ts';
import { createTakeBackConfigs, createTakeBackRecords } from './take-back.ts';
import type { uses } from './uses.ts';

export interface OwnResources {
  readonly registry: Registry;
}

/** NPNs visited or reported at once. */
const npnsAtOnce = 8;

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
  const holders = createPartiesOfNpns(tables);
  const ofVisits: Omit<VisitDeps, 'events'> = {
    store: createReconciliationStore(tables.registryRecords),
    records: createSubscriberRecords(tables.registryRecords, now),
    registry,
    log,
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
      await visitFor(whose, () => reportToAll(registry, npn), { ...ofVisits, events });
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
    const events: EventItems = (newEvents, at) => {
      for (const { type, payload } of newEvents) {
        const { npn } = payload as { readonly npn?: string };
        if (type === 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED' && npn !== undefined) changed.add(npn);
        // Without an NPN, it is what is required of all.
        if (type === 'COMPLIANCE_INPUTS_CHANGED')
          for (const one of npn === undefined ? npns : [npn]) changed.add(one);
      }
      const named = newEvents.map((one) =>
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

/** What a subscription says that was never synchronized (`newSubscription`). */
const neverVisited = {
  'entityInfo.status': 'not started',
  'entityInfo.message': null,
  pdbAlertsSubscriptionStatus: null,
};

/**
 * Takes back what is dated after the present by an organization whose clock was set back, and what it put over the simulated
 * registry; then visits its NPNs. It may be done any number of times: each step derives what is left to do from what is stored.
 */
export function createReset(
  { tables, context: { logger: log, now } }: Resources<typeof uses>,
  runNight: ReturnType<typeof createNight>,
) {
  const { registryRecords, outbox } = tables;
  const takeBackConfigs = createTakeBackConfigs(tables.compliance);
  const takeBackRecords = createTakeBackRecords(registryRecords, now);
  // What receivers hold is what was answered before the clock was ahead: nothing that is taken back is reported.
  const silently = { ...reportDeps({ tables, now, log }), events: () => [] };

  async function takeBack(
    owner: string,
    subscription: VisitedSubscription,
    own: ReadonlySet<string>,
  ): Promise<void> {
    const { _id, npn, lastSynchronizationDate } = subscription;
    const at = now();
    const isLater = (time: string | null | undefined): boolean => (time ?? '') > at.toISOString();
    const { closings } = await takeBackRecords({ owner, npn });
    const lastVisit = closings
      .flatMap(({ by, commandAt }) => (by === 'import' ? [] : [commandAt]))
      .sort(compare)
      .at(-1);
    if (isLater(lastSynchronizationDate)) {
      const changes = {
        lastSynchronizationDate: lastVisit ?? null,
        ...(lastVisit === undefined ? neverVisited : {}),
      };
      const key = registryKeys.subscription(owner, _id);
      await registryRecords.update(key, shownChanges(subscription, changes, at), exists);
    }
    // What visits before recorded of it stays, and the next one reads the whole default again.
    if (own.has(npn) && lastVisit !== undefined) {
      await registryRecords.put({ ...simulatedKeys.ownRecord(owner, npn), isTakenBack: true });
    } else await registryRecords.delete(simulatedKeys.ownRecord(owner, npn));
    const reported = await silently.changes.reported(owner, npn);
    if (!isLater(reported?.at)) return;
    // Before anything is compared anew, what was decided ends.
    if (reported?.unsent !== undefined) await reportNow(owner, npn, silently);
    await reportNow(owner, npn, silently);
  }

  return async (owner: string): Promise<void> => {
    await outbox.update(feedKeys.counter(owner), { setBackAt: now().toISOString() }, exists);
    await takeBackConfigs(owner, now());
    const [subscriptions, records] = await Promise.all([
      collect(registryRecords.query(visitedSubscription, registryKeys.subscription(owner, '').pk)),
      collect(registryRecords.query(itemKey, simulatedKeys.ownRecord(owner, '').pk)),
    ]);
    const own = new Set(records.map(({ sk }) => sk));
    await concurrently(subscriptions, npnsAtOnce, (one) => takeBack(owner, one, own));
    const subscribed = new Set(subscriptions.map(({ npn }) => npn));
    const others = records.filter(({ sk }) => !subscribed.has(sk));
    await concurrently(others, npnsAtOnce, async (key) => void (await registryRecords.delete(key)));
    await runNight(owner, { visits: true });
  };
}

/** By what the sweep finds an item, if it does: a license by the end of its term, others by the day on which they count. */
const foundItem = storedItem('registry-records/swept-by', () => ({
  renewalKey: z.optional(z.string()),
  startKey: z.optional(z.string()),
}));

/** A day on which the sweep finds something. */
interface DueDay {
  readonly day: CalendarDate;
  /** Whether it is found until it was swept, so that one whose night is over was missed. */
  readonly isKept: boolean;
}

const daysOf = ({ renewalKey, startKey }: z.output<typeof foundItem>): DueDay[] => {
  if (renewalKey === undefined) return startKey === undefined ? [] : [{ day: startKey, isKept: false }];
  const [first = '', day = ''] = renewalKey.split('#');
  if (first === 'CHANGE') return [{ day, isKept: true }];
  return [expiringOn(first), expiredOn(first)].map((boundary) => ({ day: boundary, isKept: false }));
};

/** Partitions read at once. */
const concurrency = 16;

/**
 * The nights of an owner after the last one that was run in which a sweep finds something, as it is stored now, and days that were
 * missed: what was written meanwhile by the clock of an earlier night may be due in one that is over.
 */
export const createDueNights =
  ({ registryRecords, compliance }: Tables<'registryRecords' | 'compliance'>) =>
  async (
    owner: string,
    lastNight: CalendarDate,
  ): Promise<{ readonly nights: readonly CalendarDate[]; readonly missed: readonly CalendarDate[] }> => {
    const [subscriptions, heads] = await Promise.all([
      collect(registryRecords.query(visitedSubscription, registryKeys.subscription(owner, '').pk)),
      configHeads(compliance, owner),
    ]);
    const consistent = { consistent: true };
    const reads = [
      ...subscriptions.map(({ npn }) =>
        registryRecords.query(foundItem, partitionOf(owner, npn), consistent),
      ),
      ...heads.map(({ productId, present }) =>
        compliance.query(
          foundItem,
          complianceKeys.configEntry(owner, { ...present, productId }).pk,
          consistent,
        ),
      ),
    ];
    const found = await mapConcurrently(reads, concurrency, collect);
    const days = found.flat().flatMap(daysOf);
    const missed = days.filter(({ day, isKept }) => isKept && day <= lastNight).map(({ day }) => day);
    return {
      nights: days.map(({ day }) => day).filter((day) => day > lastNight),
      missed: [...new Set(missed)],
    };
  };
