import { nextSweepDay } from '../../shared/domain/decision/renewal.ts';
import type { SweepDays } from '../../shared/domain/license-sweep/jobs.ts';
import {
  pollEveryDays,
  type RegistryPolls,
  RegistryUnavailable,
} from '../../shared/domain/registry/registry.ts';
import type { ChangeLists } from '../../shared/domain/registry-records/change-list.ts';
import { type PollReason, pollReasons, shards } from '../../shared/domain/registry-records/stored.ts';
import type { SubscribedNpn, SubscribedNpns } from '../../shared/domain/registry-records/subscriptions.ts';
import { collect, concurrently } from '../../shared/platform/data/concurrently.ts';
import { compare } from '../../shared/platform/data/keys.ts';
import { readable } from '../../shared/platform/data/stored.ts';
import type { Log } from '../../shared/platform/log/log.ts';
import { jobsOf, type PollQueue, type ReconciliationJob } from './poll.ts';

export interface QueueDeps {
  readonly registry: Pick<RegistryPolls, 'changesSince' | 'callsPerPoll'>;
  readonly changeLists: Pick<ChangeLists, 'read' | 'record'>;
  readonly npns: Pick<SubscribedNpns, 'waiting' | 'atBoundaryOf'>;
  readonly polls: PollQueue;
  readonly sweepDays: Pick<SweepDays, 'missed'>;
  /** Calls of the registry for which the jobs of a reconciliation are queued at most, where it keeps lists of changes. */
  readonly mostCallsANight: number;
  readonly now: () => Date;
  readonly log: Log;
  /** Called with each item that cannot be read, whose error names it; the others are queued. */
  readonly onUnreadable: (error: unknown) => void;
}

/** Missed days whose licenses come first too. Those that were missed longer ago are late whatever comes first. */
const missedDays = 7;

/** First polls whose subscriptions are made at once. */
const concurrency = 16;

/**
 * The jobs of a reconciliation, each NPN once, page by page. Where the registry keeps lists of changes, they are of the NPNs
 * that changed, those that were never polled, and those that were not for longest, as far as the calls of a night go; otherwise
 * of every NPN that anybody subscribes to. NPNs with a license at a boundary of the next sweep come first: what the sweep
 * reports must be what the registry says.
 */
export async function* reconciliationJobs(
  asOf: Date,
  deps: Omit<QueueDeps, 'polls' | 'onUnreadable'>,
): AsyncGenerator<readonly ReconciliationJob[]> {
  const { npns, sweepDays, now } = deps;
  const startedAt = now();
  const next = nextSweepDay(asOf);
  const boundary = new Set<string>();
  for (const day of [...(await sweepDays.missed(next)).slice(-missedDays), next]) {
    for await (const some of npns.atBoundaryOf(day)) for (const npn of some) boundary.add(npn);
  }
  const chosen = (await readChanges(deps)) ? new Set(await mostUrgent(deps)) : undefined;
  const first = Array.from(boundary).filter((npn) => chosen?.has(npn) ?? true);
  yield jobsOf(first, { asOf, startedAt, position: 0 });
  let position = first.length;
  for await (const page of chosen === undefined ? allOf(npns) : [chosen]) {
    const others = Array.from(page).filter((npn) => !boundary.has(npn));
    yield jobsOf(others, { asOf, startedAt, position });
    position += others.length;
  }
}

/** Every NPN, page by page. */
async function* allOf(npns: Pick<SubscribedNpns, 'waiting'>): AsyncGenerator<readonly string[]> {
  for (const reason of pollReasons) {
    for (let shard = 0; shard < shards; shard += 1) {
      for await (const page of npns.waiting(reason, shard)) yield page.map(({ npn }) => npn);
    }
  }
}

/** Asks what changed, and records it. @returns whether the registry keeps lists of changes. */
async function readChanges({
  registry,
  changeLists,
  now,
  log,
}: Pick<QueueDeps, 'registry' | 'changeLists' | 'now' | 'log'>): Promise<boolean> {
  const logMissing = (fields: Readonly<Record<string, unknown>>): void =>
    log.warn('The registry’s lists of changes are not complete.', {
      event: 'registry_changes_missing',
      ...fields,
    });
  const before = await changeLists.read();
  try {
    const at = now();
    const changes = await registry.changesSince(before?.cursor);
    if (changes === undefined) return false;
    const { npns, until, missing = [] } = changes;
    const subscribed = await changeLists.record(before, changes, at);
    const read = { named: new Set(npns).size, subscribed, until };
    if (missing.length > 0) logMissing({ ...read, missing });
    else log.info('The registry’s lists of changes were read.', { event: 'registry_changes', ...read });
    return true;
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error;
    // What it names is named to the next reconciliation. Until then no list confirms anybody.
    logMissing({ named: 0, subscribed: 0, until: before?.until, missing: [], error });
    return before !== undefined;
  }
}

/** The NPNs of a night with lists of changes, the most urgent first. */
async function mostUrgent({
  registry,
  npns,
  mostCallsANight,
  now,
  log,
}: Pick<QueueDeps, 'registry' | 'npns' | 'mostCallsANight' | 'now' | 'log'>): Promise<readonly string[]> {
  const lateFrom = new Date(now().getTime() - (pollEveryDays - 1) * 86_400_000).toISOString();
  const waiting: Record<PollReason, SubscribedNpn[]> = { CHANGED: [], NEW: [], NPN: [] };
  for (let shard = 0; shard < shards; shard += 1) {
    const read = (reason: PollReason) => collect(npns.waiting(reason, shard));
    waiting.CHANGED.push(...(await read('CHANGED')));
    waiting.NEW.push(...(await read('NEW')));
    const others = await read('NPN');
    // A share each night, so that they are not all due in the same one.
    const share = Math.ceil(others.length / pollEveryDays);
    waiting.NPN.push(...others.filter(({ since }, index) => index < share || since < lateFrom));
  }
  const urgent = pollReasons.flatMap((reason) =>
    waiting[reason].sort((one, other) => compare(one.since, other.since)).map(({ npn }) => npn),
  );
  const most = Math.floor(mostCallsANight / registry.callsPerPoll);
  if (urgent.length > most) {
    log.warn('The calls of a night are too few for all NPNs that are due.', {
      event: 'registry_calls_used_up',
      npns: urgent.length - most,
    });
  }
  return urgent.slice(0, most);
}

/**
 * The jobs of first polls that are due. When the caller asks for the next page, it has sent them: then they are due again only
 * after a while. The poll itself forgets them, so that none is lost with its job.
 */
export async function* firstPollJobs({
  polls,
  now,
  onUnreadable,
}: Pick<QueueDeps, 'polls' | 'now' | 'onUnreadable'>): AsyncGenerator<readonly ReconciliationJob[]> {
  for await (const page of polls.firstPolls()) {
    const due = readable(page, onUnreadable);
    const startedAt = now();
    await concurrently(due, concurrency, (one) => polls.subscribe(one));
    const npns = new Set(due.map(({ npn }) => npn));
    const firstPolls = due.map(({ npn, owner, isSilent, since }) => ({
      npn,
      owner: owner.dataOwnerId,
      isSilent,
      since,
    }));
    yield jobsOf([...npns], { asOf: startedAt, startedAt, position: 0, firstPolls });
    await concurrently(firstPolls, concurrency, (one) => polls.queued(one));
  }
}
