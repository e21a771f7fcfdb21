import * as z from 'zod/mini';
import { timestamp } from '#platform/contract/primitives.ts';
import { collect, concurrently } from '#platform/data/concurrently.ts';
import { between, exists } from '#platform/data/expressions.ts';
import { compare } from '#platform/data/keys.ts';
import { anyItem, parseIfStored, storedItem } from '#platform/data/stored.ts';
import type { Key, Table, TableItems } from '#platform/data/table.ts';
import {
  retryOnConflict,
  TransactionContention,
  type TransactionItem,
  VersionConflict,
} from '#platform/data/transact.ts';
import { expiresAfterDays } from '#platform/dates/dates.ts';
import {
  advanceCounter,
  type FeedCounter,
  feedCounter,
  feedItem,
  feedKeys,
  type PlacedEvent,
  payloadBytes,
} from '../events/feed.ts';
import {
  entryName,
  feedDays,
  internalTypes,
  keptDays,
  type OutboxEvent,
  type OutboxType,
  outboxKeys,
  type UnpublishedEntry,
  unpublishedPartition,
  unpublishedPlace,
  unpublishedShards,
} from '../events/stored.ts';

/** The last number of a type of event about an entity. */
const counter = storedItem('outbox/sequence', {
  last: z.int(),
  /** Numbers of events, by `entryName`, that were unpublished when they got them; one that still is has no other. */
  numbered: z._default(z.record(z.string(), z.int()), {}),
});

type Counter = z.output<typeof counter>;

/** Numbers that a counter may remember before those of published events are looked for: an item of one KB. */
const mostRemembered = 10;

/** Days that an event may wait for its position, and still be kept for longer than that can be read. */
const spareDays = keptDays - feedDays - 2;

const internal: ReadonlySet<string> = new Set(internalTypes);

const keyText = ({ pk, sk }: Key): string => `${pk} ${sk}`;
const sequenceKey = ({ upstreamEntityId, entityId, type }: OutboxEvent): Key =>
  outboxKeys.sequence(upstreamEntityId, entityId, type as OutboxType);

const assignedElsewhere = () => new VersionConflict('Another publisher assigned a number first.');

/** The items that say what is numbered, by key. */
type ItemLookup = (key: Key) => unknown;

/** An event's number, and whether it got it now. */
interface AssignedNumber {
  readonly sequence: number;
  readonly isNew: boolean;
}

/** Stored items of events that are to be numbered. */
interface StoredNumbers {
  readonly itemOf: ItemLookup;
  /** Events that need no number any more, by `entryName`. */
  readonly publishedNames: ReadonlySet<string>;
}

async function read(table: Table, items: readonly OutboxEvent[]): Promise<StoredNumbers> {
  const itemOf = await table.getByKey(
    anyItem,
    items.flatMap((item) => [sequenceKey(item), feedKeys.counter(item.upstreamEntityId)]),
  );
  const names = items.flatMap((item) => {
    const rememberedNames = Object.keys(parseIfStored(counter, itemOf(sequenceKey(item)))?.numbered ?? {});
    const checkedNames = rememberedNames.length < mostRemembered ? [] : rememberedNames;
    const { pk, prefix } = unpublishedPlace(item);
    return [entryName(item), ...checkedNames].map((name) => ({ name, key: { pk, sk: `${prefix}${name}` } }));
  });
  // After the counters: a worker that numbers an event since changes its counter, so that the transaction fails; and the number of
  // one that was numbered before is remembered until it is published.
  const entries = await table.getByKey(
    anyItem,
    names.map(({ key }) => key),
  );
  const publishedNames = names.filter(({ key }) => entries(key) === undefined).map(({ name }) => name);
  return { itemOf, publishedNames: new Set(publishedNames) };
}

/** The writes that number events and place them in the feed, and all their numbers. */
function planNumbers(
  table: TableItems,
  items: readonly OutboxEvent[],
  { itemOf, publishedNames }: StoredNumbers,
  now: Date,
): { readonly writes: readonly TransactionItem[]; readonly numbers: ReadonlyMap<string, AssignedNumber> } {
  const upstream = items[0]?.upstreamEntityId ?? '';
  const feedKey = feedKeys.counter(upstream);
  const before = parseIfStored(feedCounter, itemOf(feedKey));
  const feed: FeedCounter = before ?? { last: 0, firsts: {} };

  const counters = new Map<string, { readonly key: Key; readonly before: number | undefined } & Counter>();
  const counterOf = (item: OutboxEvent) => {
    const key = sequenceKey(item);
    const cachedCounter = counters.get(keyText(key));
    if (cachedCounter !== undefined) return cachedCounter;
    const storedCounter = parseIfStored(counter, itemOf(key));
    const unpublishedNumbers = Object.entries(storedCounter?.numbered ?? {}).filter(
      ([name]) => !publishedNames.has(name),
    );
    const last = Math.max(storedCounter?.last ?? 0, feed.highestSequence ?? 0);
    const ofType = {
      key,
      before: storedCounter?.last,
      last,
      numbered: Object.fromEntries(unpublishedNumbers),
    };
    counters.set(keyText(key), ofType);
    return ofType;
  };

  const numbers = new Map<string, AssignedNumber>();
  const changedCounters = new Set<ReturnType<typeof counterOf>>();
  const placedEvents: PlacedEvent[] = [];
  for (const item of items) {
    const { eventId, entityId, type } = item;
    const name = entryName(item);
    if (publishedNames.has(name) || numbers.has(eventId)) continue;
    const ofType = counterOf(item);
    const number = ofType.numbered[name];
    if (number !== undefined) {
      numbers.set(eventId, { sequence: number, isNew: false });
      continue;
    }
    const sequence = ofType.last + 1;
    ofType.last = sequence;
    ofType.numbered[name] = sequence;
    changedCounters.add(ofType);
    numbers.set(eventId, { sequence, isNew: true });
    if (!internal.has(type))
      placedEvents.push({ eventId, entityId, type, sequence, bytes: payloadBytes(item) });
  }

  const ofNumbers = Array.from(changedCounters, ({ key, before: lastBefore, last, numbered }) =>
    table.update(key, { last, numbered }, { last: lastBefore }, assignedElsewhere),
  );
  const { last, firsts } = advanceCounter(feed, feed.last + placedEvents.length, now);
  const ofFeed =
    placedEvents.length === 0
      ? []
      : [
          table.update(feedKey, { last, firsts }, { last: before?.last }, assignedElsewhere),
          table.put(feedItem(upstream, { first: feed.last + 1, events: placedEvents }, now)),
        ];
  return { writes: [...ofFeed, ...ofNumbers], numbers };
}

/**
 * Gives events of one organization, in this order, what each gets once: its number among those of its type about its
 * entity, from 1 without gaps, and in the same transaction its position in the organization's feed. So whatever has a
 * number is in the feed, and `sequence` rises along it.
 *
 * @param items at most `mostInRun`.
 * @returns the numbers by event id; none of an event that is published, or deleted.
 */
type AssignNumbers = (
  items: readonly OutboxEvent[],
  now: Date,
) => Promise<ReadonlyMap<string, AssignedNumber>>;

/**
 * Every publisher of a carrier's events meets the others at its counter, which is no fault of an event: they go on for a minute or
 * so, with pauses in which many others have their turn.
 */
const contention = { attempts: 30, longestMs: 5_000 };

const createNumbering =
  (table: Table): AssignNumbers =>
  async (items, now) => {
    // An event has to outlive its position, however long it waited for it.
    const spareUntil = new Date(now.getTime() - spareDays * 86_400_000).toISOString();
    for (const item of items.filter(({ occurredAt }) => occurredAt < spareUntil)) {
      await table.update(item, { expiresAt: expiresAfterDays(now, keptDays) }, exists);
    }
    return retryOnConflict(async () => {
      const { writes, numbers } = planNumbers(table.items, items, await read(table, items), now);
      await table.transact(writes).catch((error: unknown) => {
        throw error instanceof TransactionContention ? assignedElsewhere() : error;
      });
      return numbers;
    }, contention);
  };

/** Entry of an event that is not published. */
const unpublishedEntry = storedItem('outbox/unpublished', {
  upstreamEntityId: z.string(),
  entityId: z.string(),
  eventId: z.string(),
  occurredAt: timestamp,
});

/** Entries of a shard that are read at once. */
const entriesOfShard = 100;

/** Entries of unpublished events that occurred before then: some of every shard at a time. */
async function* entriesBefore(outbox: Table, before: Date): AsyncGenerator<readonly UnpublishedEntry[]> {
  const until = before.toISOString();
  let shards = Array.from({ length: unpublishedShards }, (_, shard) =>
    outbox.query(unpublishedEntry, unpublishedPartition(shard), { consistent: true, limit: entriesOfShard }),
  );
  while (shards.length > 0) {
    const entries: UnpublishedEntry[] = [];
    const unread: typeof shards = [];
    await concurrently(shards, async (pages) => {
      const page = await pages.next();
      if (page.done === true) return;
      unread.push(pages);
      entries.push(...page.value.filter(({ occurredAt }) => occurredAt < until));
    });
    shards = unread;
    if (entries.length > 0) yield entries.toSorted(byTime);
  }
}

type OccurredEvent = Pick<UnpublishedEntry, 'occurredAt'>;

/** Compares entries, or events, by the times at which the events occurred. */
export const byTime = (first: OccurredEvent, second: OccurredEvent): number =>
  compare(first.occurredAt, second.occurredAt);

/** Key of the event of an entry. */
const eventKey = ({ upstreamEntityId, entityId, eventId }: UnpublishedEntry) =>
  outboxKeys.event(upstreamEntityId, entityId, eventId);

/** The publisher's access to the outbox. */
export type OutboxStore = ReturnType<typeof createOutboxStore>;

export function createOutboxStore(table: Table) {
  /** The events of these entries, as they are stored, in the entries' order. */
  const find = (entries: readonly UnpublishedEntry[]): Promise<unknown[]> =>
    table.getInOrder(anyItem, entries.map(eventKey), { consistent: true });

  return {
    assignNumbers: createNumbering(table),

    /** Deletes what says of events, of which each is given once, that they are not published. */
    markPublished: (items: readonly OutboxEvent[]) => table.deleteAll(items.map(outboxKeys.unpublished)),

    /** Entries of unpublished events that occurred before then: some of every shard at a time, oldest first. */
    unpublished: (before: Date) => entriesBefore(table, before),

    /**
     * Unpublished events about the entities of these that occurred before the last of these, as they are stored, oldest first;
     * none of these themselves.
     */
    async precedingUnpublished(given: readonly OutboxEvent[]): Promise<unknown[]> {
      const givenIds = new Set(given.map(({ eventId }) => eventId));
      const lasts = new Map(given.toSorted(byTime).map((event) => [event.pk, event]));
      const entries = await Promise.all(
        Array.from(lasts.values(), (last) => {
          const { pk, prefix } = unpublishedPlace(last);
          const sort = between(prefix, `${prefix}${last.occurredAt}`);
          return collect(table.query(unpublishedEntry, pk, { sort, consistent: true }));
        }),
      );
      return find(
        entries
          .flat()
          .filter(({ eventId }) => !givenIds.has(eventId))
          .toSorted(byTime),
      );
    },

    find,
  };
}
