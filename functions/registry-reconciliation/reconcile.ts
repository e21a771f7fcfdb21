import * as z from 'zod/mini';
import { createSilentMoves, type SilentMoves } from '#domain/baselines/baseline.ts';
import { nextSweepDay } from '#domain/decision/renewal.ts';
import { npn } from '#domain/identifiers/identifiers.ts';
import type { PartiesOfNpns } from '#domain/npn-holders/holders.ts';
import { type RegistryReport, unknownNpn } from '#domain/registry/registry.ts';
import {
  type ActionTotals,
  createReconciliationStore,
  isOfCarrier,
  type ReconciliationStore,
  recordVisit,
  reportToAll,
  type VisitDeps,
} from '#domain/registry-reconciliation/visit.ts';
import { registryDataSubscription } from '#domain/registry-records/resources.ts';
import { type PollReason, pollShard, registryKeys, shards } from '#domain/registry-records/stored.ts';
import { createSubscriberRecords } from '#domain/registry-records/subscriber-records.ts';
import {
  createSubscribedNpns,
  ensureSubscriptions,
  type FirstPoll,
  type SubscribedNpn,
  type SubscribedNpns,
} from '#domain/registry-records/subscriptions.ts';
import type { Tables } from '#domain/tables.ts';
import { timestamp } from '#platform/contract/primitives.ts';
import { chunks, collect, concurrently, mapConcurrently } from '#platform/data/concurrently.ts';
import { absentOr, added, below, startsWith } from '#platform/data/expressions.ts';
import { compare } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { Table } from '#platform/data/table.ts';
import { addDays, type CalendarDate, expiresAfterDays, newYorkDate } from '#platform/dates/dates.ts';
import { addTo, checkFinished, runJobs } from '#platform/queue/scheduled-jobs.ts';

/** NPNs of one job. */
export const npnsOfJob = 25;

/** A message of the registry-reconciliation queue: NPNs that are to be polled. */
export const reconciliationJob = z.strictObject({
  /** The time of the reconciliation, as the log names it. Its polls have times of their own. */
  asOf: timestamp,
  /** Time at which its jobs were queued. An NPN that was polled since is done. */
  startedAt: timestamp,
  /** Number of NPNs of the reconciliation before these: the log says with it how far it is. */
  position: z.int(),
  npns: z.array(npn).check(z.maxLength(npnsOfJob)),
});

export type ReconciliationJob = z.output<typeof reconciliationJob>;

/** The jobs of some NPNs. */
export const jobsOf = (
  npns: readonly string[],
  { asOf, startedAt, position }: { readonly asOf: Date; readonly startedAt: Date; readonly position: number },
): ReconciliationJob[] =>
  chunks(npns, { count: npnsOfJob }).map((npnsOfThis, index) => ({
    asOf: asOf.toISOString(),
    startedAt: startedAt.toISOString(),
    position: position + index * npnsOfJob,
    npns: npnsOfThis,
  }));

export interface PollDeps extends VisitDeps {
  readonly store: ReconciliationStore;
  readonly npns: Pick<SubscribedNpns, 'recordPoll' | 'requestPoll'>;
  readonly holders: PartiesOfNpns;
  readonly nightCalls: NightCalls;
  readonly createSilentMoves: () => SilentMoves;
  /** Called for each NPN or subscriber that could not be processed; the others are. */
  readonly onFailure: (context: Readonly<Record<string, string>>, error: unknown) => void;
}

/** Counts of a poll. */
export interface PollTotals extends ActionTotals {
  /** Subscribers of the NPN. */
  readonly subscriptions: number;
  /** Subscribers whose licenses or appointments the registry had changed. */
  readonly changed: number;
  /** Subscribers that could not be processed, or the NPN where the registry could not be read. */
  readonly failed: number;
  /** 1 where the calls of the night are used up: the NPN is left to a later one. */
  readonly left: number;
}

export const noTotals = {
  subscriptions: 0,
  changed: 0,
  actions: 0,
  added: 0,
  updated: 0,
  failed: 0,
  left: 0,
};

/** Whether nothing of a poll is to be made again. */
export const isDone = ({ failed, left }: Pick<PollTotals, 'failed' | 'left'>): boolean => failed + left === 0;

/** The calls of the registry that a night may make are used up. */
class CallsUsedUp extends Error {}

/** The calls of the registry that visits may still make until the next license sweep. */
export type NightCalls = ReturnType<typeof createNightCalls>;

/** @param most calls from one sweep to the next, of all workers together; undefined: nothing bounds them. */
export const createNightCalls = (table: Table, most: number | undefined, now: () => Date) => ({
  most,
  /** Takes a call. @throws CallsUsedUp. */
  async take(): Promise<void> {
    if (most === undefined) return;
    const changes = { calls: added(1), expiresAt: expiresAfterDays(now(), 7) };
    const isLeft = { calls: absentOr(below(most)) };
    if (!(await table.update(registryKeys.calls(nextSweepDay(now())), changes, isLeft))) {
      throw new CallsUsedUp();
    }
  },
});

/**
 * Polls an NPN: reads the registry once, and brings the records of everybody who subscribes to the NPN up to date, with the
 * events of it. It may be repeated any number of times, also concurrently; only when nothing failed is it recorded.
 * @param firstPolls those whose first poll it is. The records of the silent ones among them are brought up to date without
 *   events; the next poll sends what is still to be reported.
 */
export async function pollNpn(
  npn: string,
  firstPolls: readonly StoredFirstPoll[],
  deps: PollDeps,
): Promise<PollTotals> {
  const { store, npns, registry, holders, nightCalls, now } = deps;
  const ownersOf = (polls: readonly StoredFirstPoll[]) => polls.map(({ owner }) => owner.dataOwnerId);
  const silentOwners = new Set(ownersOf(firstPolls.filter(({ isSilent }) => isSilent)));
  const sums = { ...noTotals };
  const fail = (context: Readonly<Record<string, string>>, error: unknown): void => {
    if (error instanceof CallsUsedUp) {
      sums.left = 1;
      return;
    }
    sums.failed += 1;
    deps.onFailure({ npn, ...context }, error);
  };
  const silentMoves = deps.createSilentMoves();
  // A reconciliation that begins later asks the registry again: it may have changed since this poll read it.
  const begunAt = now();
  let report: RegistryReport = unknownNpn;
  try {
    const subscriptions = await store.subscribersOf(npn, ownersOf(firstPolls));
    sums.subscriptions = subscriptions.length;
    if (subscriptions.length > 0) {
      await nightCalls.take();
      const askedAt = now();
      report = await reportToAll(registry, npn);
      // Without a holder an action is stored and not reported, so the next reconciliation reports it.
      const loud = subscriptions.filter(
        (subscription) => isOfCarrier(subscription) && !silentOwners.has(subscription.dataOwnerId),
      );
      const parties = await holders(loud);
      for (const subscription of subscriptions) {
        const { dataOwnerId: organizationId, _id } = subscription;
        try {
          const isSilent = silentOwners.has(organizationId);
          const { isChanged, actions, added, updated } = await recordVisit(
            {
              subscription,
              holders: parties.get(_id) ?? [],
              report,
              askedAt,
              isSilent,
              moves:
                isSilent && isOfCarrier(subscription)
                  ? silentMoves.ofRecords(organizationId, npn)
                  : undefined,
            },
            deps,
          );
          addTo(sums, { ...noTotals, changed: isChanged ? 1 : 0, actions, added, updated });
        } catch (error) {
          fail({ organizationId, registryDataSubscriptionId: _id }, error);
        }
      }
    }
    // Actions of who is silent are reported by the next poll.
    if (silentOwners.size > 0 && sums.actions > 0) await npns.requestPoll(npn, now());
    if (isDone(sums)) await npns.recordPoll(npn, begunAt, report);
  } catch (error) {
    fail({}, error);
  }
  return sums;
}

const firstPoll = storedItem('registry-records/first-poll', {
  npn,
  owner: z.pick(registryDataSubscription, { dataOwnerId: true, dataOwnerModel: true }),
  entityModel: z.enum(['agent', 'downstreamEntity']),
  isSilent: z.boolean(),
  /** Time at which it was stored last. */
  since: timestamp,
});

/** An owner's first poll of an NPN. */
type StoredFirstPoll = z.output<typeof firstPoll>;

/** Milliseconds that a first poll is with its job before another job is queued for it: longer than the queue tries. */
const queuedForMs = 60 * 60_000;

/** NPNs that wait to be polled for the first time. */
type PollQueue = ReturnType<typeof createPollQueue>;

const firstPollKey = ({ npn, owner }: Pick<StoredFirstPoll, 'npn' | 'owner'>) =>
  registryKeys.firstPoll(npn, owner.dataOwnerId);

export const createPollQueue = (table: Table<'by-poll'>, now: () => Date) => ({
  /** First polls that are due, page by page. */
  async *firstPolls(): AsyncIterable<readonly StoredFirstPoll[]> {
    const time = now().toISOString();
    for (let shard = 0; shard < shards; shard += 1) {
      for await (const keys of table.keys({ index: 'by-poll', value: pollShard('FIRST', shard) })) {
        const duePolls = keys.filter(({ sort }) => sort <= time);
        if (duePolls.length === 0) break;
        yield table.getAll(firstPoll, duePolls);
      }
    }
  },

  /** Creates the subscription of a new NPN, where there is none. */
  subscribe: ({ npn, owner, entityModel }: FirstPoll) =>
    ensureSubscriptions(table, owner, [npn], { entityModel }, now()),

  /** Records that a first poll's job is queued: it is due again after a while, unless the job is done. */
  async queued(poll: StoredFirstPoll): Promise<void> {
    const pollSort = new Date(now().getTime() + queuedForMs).toISOString();
    await table.update(firstPollKey(poll), { pollSort }, { since: poll.since });
  },

  /** The first polls of an NPN that are still to be made. */
  waitingOf(npn: string): Promise<readonly StoredFirstPoll[]> {
    const { pk, sk } = registryKeys.firstPoll(npn, '');
    return collect(table.query(firstPoll, pk, { sort: startsWith(sk), consistent: true }));
  },

  /** Forgets a first poll that was made, unless it has become due once more. */
  async forget(poll: StoredFirstPoll): Promise<void> {
    await table.delete(firstPollKey(poll), { since: poll.since });
  },
});

export interface QueueDeps {
  readonly npns: Pick<SubscribedNpns, 'waiting' | 'endingOn'>;
  readonly polls: PollQueue;
  readonly nightCalls: Pick<NightCalls, 'most'>;
  readonly now: () => Date;
}

/** Days within which a license ends that has its holder visited sooner. */
const endsWithinDays = 30;

/** Jobs that are queued at once. */
const jobsOfPage = 100;

/**
 * The jobs of a reconciliation, each NPN that anybody subscribes to once, in the order of visits (OpenAPI, "Events"), as far as the
 * calls of a night go.
 */
export async function* reconciliationJobs(
  asOf: Date,
  { npns, nightCalls, now }: Pick<QueueDeps, 'npns' | 'nightCalls' | 'now'>,
): AsyncGenerator<readonly ReconciliationJob[]> {
  const startedAt = now();
  const npnsInOrder = (await inOrder(npns, newYorkDate(asOf))).slice(0, nightCalls.most);
  let position = 0;
  for (const page of chunks(npnsInOrder, { count: npnsOfJob * jobsOfPage })) {
    yield jobsOf(page, { asOf, startedAt, position });
    position += page.length;
  }
}

/**
 * Every NPN: those that were never visited, those that somebody asked for, those with a license that ends soon, and the others;
 * of each, the one that was not visited for longest comes first.
 */
async function inOrder(npns: QueueDeps['npns'], today: CalendarDate): Promise<readonly string[]> {
  const waiting = async (reason: PollReason): Promise<readonly SubscribedNpn[]> => {
    const ofShards = await mapConcurrently(Array.from({ length: shards }).keys(), (shard) =>
      collect(npns.waiting(reason, shard)),
    );
    return ofShards.flat().sort((first, second) => compare(first.since, second.since));
  };
  const days = Array.from({ length: endsWithinDays + 1 }, (_, day) => addDays(today, day));
  const ending = await npns.endingOn(days);
  const [newNpns, askedNpns, otherNpns] = [
    await waiting('NEW'),
    await waiting('ASKED'),
    await waiting('NPN'),
  ];
  const { soon = [], later = [] } = Object.groupBy(otherNpns, ({ npn }) =>
    ending.has(npn) ? 'soon' : 'later',
  );
  // One that is visited meanwhile may be found twice.
  return [...new Set([...newNpns, ...askedNpns, ...soon, ...later].map(({ npn }) => npn))];
}

/**
 * The jobs of first polls that are due. When the caller asks for the next page, it has sent them: then they are due again only
 * after a while. The poll itself forgets them, so that none is lost with its job.
 */
export async function* firstPollJobs({
  polls,
  now,
}: Pick<QueueDeps, 'polls' | 'now'>): AsyncGenerator<readonly ReconciliationJob[]> {
  for await (const duePolls of polls.firstPolls()) {
    const startedAt = now();
    const npns = new Set(duePolls.map(({ npn }) => npn));
    yield jobsOf([...npns], { asOf: startedAt, startedAt, position: 0 });
    await concurrently(duePolls, (firstPoll) => polls.queued(firstPoll));
  }
}

export interface ReconciliationDeps extends PollDeps, QueueDeps {
  readonly npns: SubscribedNpns;
  readonly nightCalls: NightCalls;
}

/** The result of a job. */
export interface ReconciliationTotals extends PollTotals {
  /** NPNs that were polled now. */
  readonly npns: number;
}

const nothingDone: ReconciliationTotals = { npns: 0, ...noTotals };

/**
 * Does a job. It may be done any number of times, also by several workers at once.
 * @throws JobUnfinished when some NPNs could not be polled, after all the others were.
 */
export async function reconcile(
  job: ReconciliationJob,
  deps: ReconciliationDeps,
): Promise<ReconciliationTotals> {
  const totals = await pollAll(job, deps);
  checkFinished(totals);
  return totals;
}

/**
 * Polls the NPNs of a job that were not polled since it was queued, and those of which a first poll waits: another poll of the NPN
 * may not have known its owner.
 */
async function pollAll(
  { npns, startedAt }: ReconciliationJob,
  deps: ReconciliationDeps,
): Promise<ReconciliationTotals> {
  const sums: Record<keyof ReconciliationTotals, number> = { ...nothingDone };
  const unpolledNpns = new Set(await deps.npns.notPolledSince(npns, new Date(startedAt)));
  await concurrently(
    npns,
    async (npn) => {
      const firstPolls = await deps.polls.waitingOf(npn);
      if (firstPolls.length === 0 && !unpolledNpns.has(npn)) return;
      for (const firstPoll of firstPolls) await deps.polls.subscribe(firstPoll);
      const poll = await pollNpn(npn, firstPolls, deps);
      if (isDone(poll)) for (const firstPoll of firstPolls) await deps.polls.forget(firstPoll);
      addTo(sums, { npns: 1, ...poll });
    },
    pollsAtOnce,
  );
  return sums;
}

/** Polls of a job at once. With the workers of its queue they bound how many calls the registry gets at once. */
export const pollsAtOnce = 5;

/** Jobs done at once where they are not queued. */
const jobsAtOnce = 2;

/** A reconciliation as of an instant, without the queue; returns its totals. Failures are left to the next one. */
export async function reconcileAll(asOf: Date, deps: ReconciliationDeps): Promise<ReconciliationTotals> {
  return runJobs(reconciliationJobs(asOf, deps), {
    concurrency: jobsAtOnce,
    zero: nothingDone,
    work: (job) => pollAll(job, deps),
    onFailure({ npns }, error) {
      for (const npn of npns) deps.onFailure({ npn }, error);
      return { ...nothingDone, npns: npns.length, failed: npns.length };
    },
  });
}

interface ReconciliationParts
  extends Pick<ReconciliationDeps, 'registry' | 'holders' | 'events' | 'now' | 'onFailure' | 'log'> {
  readonly tables: Tables<'registryRecords' | 'compliance' | 'organizations'>;
  /** Calls of the registry from one license sweep to the next, by all functions together; undefined: nothing bounds them. */
  readonly mostCallsANight: number | undefined;
}

/** Dependencies of a reconciliation, whether its jobs are queued or done at once. */
export function createReconciliationDeps({
  tables,
  mostCallsANight,
  ...parts
}: ReconciliationParts): ReconciliationDeps {
  const { registryRecords: table } = tables;
  return {
    ...parts,
    createSilentMoves: () => createSilentMoves(tables, parts.now),
    store: createReconciliationStore(table),
    npns: createSubscribedNpns(table),
    records: createSubscriberRecords(table, parts.now),
    polls: createPollQueue(table, parts.now),
    nightCalls: createNightCalls(table, mostCallsANight, parts.now),
  };
}
