import { type FeedCounter, type FeedEntry, oldestPosition } from '#domain/events/feed.ts';
import type { FeedEvent } from '#domain/events/payloads.ts';
import { feedDays, storedEvent } from '#domain/events/stored.ts';
import { MB } from '#platform/aws/limits.ts';
import { invalidAt, tooEarly } from '#platform/contract/errors.ts';
import { chunks } from '#platform/data/concurrently.ts';
import type { Operation } from '#platform/request/endpoint.ts';
import type { webhookRoutes } from './routes.ts';
import type { FeedStop, FeedStore } from './store.ts';

/** Positions that a request looks at for events of some types. */
export const mostPositions = 1_000;

/** Bytes of a response's payloads; one that is larger is alone. */
export const mostBytes = 4 * MB;

/**
 * The caller's events after a position, in the order of their positions. A poll that finds nothing reads only the counter;
 * any other reads some positions, and those of their events that are asked for.
 *
 * @throws ApiError `validation_error` for a position that was not issued, or after which events are no longer kept.
 */
export const createListEvents =
  (feed: FeedStore, onStop: (stop: FeedStop) => void): Operation<typeof webhookRoutes.routes.listEvents> =>
  async ({ identity: { organizationId: owner }, query: { after: start, types, limit }, now }) => {
    const counter = (await feed.counter(owner)) ?? { last: 0, firsts: {} };
    const { last } = counter;
    const from = followingPosition(startOf(counter, start, now), counter);
    if (from > last) return { items: [], next: last, hasMore: false };

    const most = types === undefined ? limit : mostPositions;
    const to = Math.min(last, from + most - 1);
    const { contiguous, missingPosition } = entriesUntilMissing(
      await feed.entries(owner, from, to),
      counter,
      {
        from,
        to,
      },
    );
    const entriesOfTypes = contiguous.filter(
      ({ type }) => types === undefined || types.includes(type as FeedEvent['webhookType']),
    );
    const size = { bytes: mostBytes, of: ({ bytes }: FeedEntry) => bytes };
    const [page = [], rest] = chunks(entriesOfTypes, { count: limit, size });
    const items = await eventsOf(page, owner, feed);

    if (rest === undefined && missingPosition !== undefined) {
      onStop({ owner, position: missingPosition });
      // A reader that asked again at once would only meet the same position.
      return { items, next: missingPosition - 1, hasMore: false };
    }
    const next = rest === undefined ? to : (page.at(-1)?.position ?? to);
    return { items, next, hasMore: next < last };
  };

/** Position after which a reader begins. */
function startOf(counter: FeedCounter, start: number | 'latest' | undefined, now: Date): number {
  const { last } = counter;
  if (start === 'latest') return last;
  const oldest = oldestPosition(counter, now);
  if (start === undefined) return oldest - 1;
  if (start > last) {
    throw invalidAt('after', `is not issued yet; the newest event has the position ${last}`);
  }
  if (start < oldest - 1) {
    const message = `is too old: events are kept for ${feedDays} days, and the oldest has the position ${oldest}; continue after ${oldest - 1}, or without after`;
    throw tooEarly('after', message, oldest - 1);
  }
  return start;
}

const rangeOf = ({ skipped = [] }: FeedCounter, position: number) =>
  skipped.find(({ from, to }) => from <= position && position <= to);

/** The next position that has an event. */
function followingPosition(after: number, counter: FeedCounter): number {
  let position = after + 1;
  for (let range = rangeOf(counter, position); range !== undefined; range = rangeOf(counter, position)) {
    position = range.to + 1;
  }
  return position;
}

/**
 * The entries in a row. All positions up to the counter's are written, but DynamoDB may show a transaction's items one after
 * the other: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation
 */
function entriesUntilMissing(
  entries: readonly FeedEntry[],
  counter: FeedCounter,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly contiguous: readonly FeedEntry[]; readonly missingPosition?: number } {
  const byPosition = new Map(entries.map((entry) => [entry.position, entry]));
  const contiguous: FeedEntry[] = [];
  for (let position = from; position <= to; position = followingPosition(position, counter)) {
    const entry = byPosition.get(position);
    if (entry === undefined) return { contiguous, missingPosition: position };
    contiguous.push(entry);
  }
  return { contiguous };
}

/** The events of entries; one that was deleted is left out. */
async function eventsOf(
  entries: readonly FeedEntry[],
  owner: string,
  feed: FeedStore,
): Promise<readonly FeedEvent[]> {
  if (entries.length === 0) return [];
  const events = await feed.events(owner, entries);
  const items: FeedEvent[] = [];
  for (const { eventId, sequence, type } of entries) {
    const event = events.get(eventId);
    if (event !== undefined)
      items.push(storedEvent(event, { webhookType: type as FeedEvent['webhookType'], sequence }));
  }
  return items;
}
