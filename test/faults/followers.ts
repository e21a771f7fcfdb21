import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { updatedUntilHeader } from '#platform/contract/list-queries.ts';
import { type FollowedList, followedLists, type Item } from '../support/followed-lists.ts';
import { type Called, call, officeAddress } from '../support/local-api.ts';
import type { Carrier } from './organizations.ts';
import type { StoredState } from './stored-state.ts';

const pollEveryMs = 2_000;

/** Longer than anything fails here. */
const timeoutMs = 160_000;

/**
 * How far the next `updatedSince` lies before what a response said: a clock that runs faster has requests take
 * longer than the two minutes by it, of which calls and failures take the machine's time.
 */
const slackMs = 600_000;

/** A response of the API; asks again when there is none, or one that says: not now. */
async function ask(
  { tokens: [token] }: Carrier,
  path: string,
  query: Record<string, string>,
): Promise<Called> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await call('GET', path, { headers: { ...token }, query, from: officeAddress }).catch(
      () => undefined,
    );
    if (answer !== undefined && answer.status < 429) return answer;
    if (Date.now() > deadline) throw new Error(`GET ${path} answers ${answer?.status}: ${answer?.text}`);
    await pause(100);
  }
}

/** Somebody who follows a list by what the API documents. */
function followerOf(carrier: Carrier, { name, route, idOf }: FollowedList) {
  const records = new Map<string, Item>();
  let since: string | undefined;
  let refusals = 0;

  const read = async (updatedSince?: string) => {
    const query = updatedSince === undefined ? {} : { updatedSince };
    const { status, json, text, headers } = await ask(carrier, route.path, query);
    const isRefused = status === 400 && updatedSince !== undefined;
    if (status !== 200 && !isRefused) throw new Error(`GET ${route.path} answers ${status}: ${text}`);
    const items = isRefused ? undefined : (json['data'] as readonly Item[]);
    return { items, until: Date.parse(headers.get(updatedUntilHeader) ?? '') };
  };

  return {
    async poll(): Promise<void> {
      const { items, until } = await read(since);
      if (items === undefined) {
        refusals += 1;
        since = undefined;
        return;
      }
      if (since === undefined) records.clear();
      for (const item of items) {
        if (item['isDeleted'] === true) records.delete(idOf(item));
        else records.set(idOf(item), item);
      }
      since = new Date(until - slackMs).toISOString();
    },
    /** What it knows that the list does not return so, and that no request was refused, after which it reads the whole list. */
    async compare(): Promise<string[]> {
      const list = new Map(((await read()).items ?? []).map((item) => [idOf(item), item]));
      const ids = new Set([...list.keys(), ...records.keys()]);
      const wrong = Array.from(ids).filter((id) => !isDeepStrictEqual(list.get(id), records.get(id)));
      return [
        ...wrong.map((id) => `the follower of ${name} has another ${id} than the list`),
        ...(refusals > 0 ? [] : [`the follower of ${name} was not refused a request after the restore`]),
      ];
    },
  };
}

/** Somebody who follows the feed of events. */
function feedFollowerOf(carrier: Carrier) {
  const eventIds: string[] = [];
  let after = 0;
  return {
    async poll(): Promise<void> {
      for (let hasMore = true; hasMore; ) {
        const { json, status, text } = await ask(carrier, '/v2/upstream/events', { after: String(after) });
        if (status !== 200) throw new Error(`The feed after ${after} answers ${status}: ${text}`);
        const page = json['data'] as {
          items: readonly { eventId: string }[];
          next: number;
          hasMore: boolean;
        };
        eventIds.push(...page.items.map(({ eventId }) => eventId));
        after = page.next;
        hasMore = page.hasMore;
      }
    },
    compare({ feed }: StoredState): string[] {
      const told = feed
        .filter(({ upstreamEntityId }) => upstreamEntityId === carrier.organizationId)
        .sort((one, other) => one.position - other.position)
        .map(({ eventId }) => eventId);
      return isDeepStrictEqual(told, eventIds)
        ? []
        : [
            `the follower of events has read ${eventIds.length} others than the ${told.length} that were told`,
          ];
    },
  };
}

/** Follows a carrier's lists and events until it is told to stop; then says what it knows that is not so. */
export async function follow(carrier: Carrier): Promise<(state: StoredState) => Promise<string[]>> {
  const lists = followedLists.map((list) => followerOf(carrier, list));
  const feed = feedFollowerOf(carrier);
  // A restore finds somebody who knows what it takes away.
  for (const { poll } of lists) await poll();
  const stopping = new AbortController();
  const polls = Promise.all(
    [...lists, feed].map(async ({ poll }) => {
      while (!stopping.signal.aborted) {
        await poll();
        await pause(pollEveryMs);
      }
    }),
  );
  // Awaited when it is told to stop.
  polls.catch(() => undefined);
  return async (state) => {
    stopping.abort();
    await polls;
    // One whose request is refused reads the whole list with its next request.
    for (const { poll } of [...lists, ...lists, feed]) await poll();
    const wrong = await Promise.all(lists.map(({ compare }) => compare()));
    return [...wrong.flat(), ...feed.compare(state)];
  };
}
