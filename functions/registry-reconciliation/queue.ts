import { type PollReason, shards } from '#domain/registry-records/stored.ts';
import type { SubscribedNpn, SubscribedNpns } from '#domain/registry-records/subscriptions.ts';
import { chunks } from '#platform/data/chunks.ts';
import { collect, concurrently, mapConcurrently } from '#platform/data/concurrently.ts';
import { compare } from '#platform/data/keys.ts';
import { addDays, type CalendarDate, newYorkDate } from '#platform/dates/dates.ts';
import { jobsOf, type NightCalls, npnsOfJob, type PollQueue, type ReconciliationJob } from './poll.ts';

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
    await concurrently(duePolls, (firstPoll) => polls.subscribe(firstPoll));
    const npns = new Set(duePolls.map(({ npn }) => npn));
    const firstPolls = duePolls.map(({ npn, owner, isSilent, since }) => ({
      npn,
      owner: owner.dataOwnerId,
      isSilent,
      since,
    }));
    yield jobsOf([...npns], { asOf: startedAt, startedAt, position: 0, firstPolls });
    await concurrently(firstPolls, (firstPoll) => polls.queued(firstPoll));
  }
}
