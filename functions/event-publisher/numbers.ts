import * as z from 'zod/mini';
import {
  advancedTo,
  type FeedCounter,
  feedCounter,
  feedItem,
  feedKeys,
  payloadBytes,
} from '../../shared/domain/events/feed.ts';
import {
  internalTypes,
  keptDays,
  type OutboxItem,
  type OutboxType,
  outboxItem,
  outboxKeys,
} from '../../shared/domain/events/stored.ts';
import { KB, transactionBytes, transactionItems } from '../../shared/platform/aws/limits.ts';
import { retryOnConflict, VersionConflict } from '../../shared/platform/data/optimistic-lock.ts';
import { anyItem, parseIfStored, storedItem } from '../../shared/platform/data/stored.ts';
import type { Table } from '../../shared/platform/data/table.ts';
import type { Key, TableItems } from '../../shared/platform/data/table-items.ts';
import type { TransactionItem } from '../../shared/platform/data/transact.ts';
import { expiresAfterDays } from '../../shared/platform/dates/expiry.ts';

/** Writes that an event adds to a transaction at most: itself, its number's counter, its entry, what it was when deferred. */
const writesOfEvent = 4;

/** Events of one transaction, which also advances the organization's counter. */
const mostNumberedAtOnce = Math.floor((transactionItems - 1) / writesOfEvent);

/** More than an event's other attributes, its entry and its counter have together. */
const otherBytes = 4 * KB;

/** What fits into one call of `assignNumbers`: a transaction counts whole items, also of those that it only updates. */
export const numberedAtOnce = {
  count: mostNumberedAtOnce,
  size: { bytes: transactionBytes, of: (item: OutboxItem) => payloadBytes(item) + otherBytes },
} as const;

const counter = storedItem('outbox/sequence', () => ({ last: z.int() }));
const numberedItem = storedItem(
  'outbox/numbered-event',
  z.extend(outboxItem, {
    unpublishedKey: z.optional(z.string()),
    position: z.optional(z.int()),
  }),
);
const internal: ReadonlySet<string> = new Set(internalTypes);

const keyText = ({ pk, sk }: Key): string => `${pk} ${sk}`;
const sequenceKey = ({ upstreamEntityId, entityId, type }: OutboxItem): Key =>
  outboxKeys.sequence(upstreamEntityId, entityId, type as OutboxType);

const assignedElsewhere = () => new VersionConflict('Another publisher assigned a number first.');

/** The writes that number events and place them in the feed, and all their numbers. */
function planned(
  table: TableItems,
  items: readonly OutboxItem[],
  stored: (key: Key) => unknown,
  now: Date,
): { readonly writes: readonly TransactionItem[]; readonly numbers: ReadonlyMap<string, number> } {
  const numbers = new Map<string, number>();
  const counters = new Map<
    string,
    { readonly key: Key; readonly before: number | undefined; last: number }
  >();
  const upstream = items[0]?.upstreamEntityId ?? '';
  const feedKey = feedKeys.counter(upstream);
  const before = parseIfStored(feedCounter, stored(feedKey));
  const feed: FeedCounter = before ?? { last: 0, firsts: {} };
  const nextNumber = (item: OutboxItem): number => {
    const key = sequenceKey(item);
    const lastOfType = parseIfStored(counter, stored(key))?.last;
    const last = Math.max(lastOfType ?? 0, feed.highestSequence ?? 0);
    const entry = counters.get(keyText(key)) ?? { key, before: lastOfType, last };
    counters.set(keyText(key), entry);
    entry.last += 1;
    return entry.last;
  };
  let position = feed.last;

  const writes = items.flatMap((item): TransactionItem[] => {
    const current = parseIfStored(numberedItem, stored(item));
    if (current?.unpublishedKey === undefined) return [];
    const isPlaced = current.position !== undefined || internal.has(item.type);
    const sequence = current.sequence ?? nextNumber(item);
    numbers.set(item.eventId, sequence);
    if (isPlaced && current.sequence !== undefined) return [];

    const { unpublishedKey } = current;
    const { eventId, entityId, type } = item;
    if (!isPlaced) position += 1;
    // The event has to outlive its position, however long it waited for it.
    const placed = { position, expiresAt: expiresAfterDays(now, keptDays) };
    const entry = feedItem(
      upstream,
      { position, eventId, entityId, type, sequence, bytes: payloadBytes(item) },
      now,
    );
    return [
      table.update(
        item,
        { sequence, ...(isPlaced ? {} : placed) },
        { unpublishedKey, sequence: current.sequence, position: current.position },
        assignedElsewhere,
      ),
      ...(isPlaced ? [] : [table.put(entry)]),
      // An event with a number has its place among the others, deferred or not.
      ...(item.deferred === true ? [table.delete(outboxKeys.deferred(upstream, entityId, eventId))] : []),
    ];
  });

  const ofNumbers = Array.from(counters.values(), ({ key, before: was, last }) =>
    table.update(key, { last }, { last: was }, assignedElsewhere),
  );
  const { last, firsts } = advancedTo(feed, position, now);
  const ofFeed =
    position === feed.last
      ? []
      : [table.update(feedKey, { last, firsts }, { last: before?.last }, assignedElsewhere)];
  return { writes: [...ofFeed, ...ofNumbers, ...writes], numbers };
}

/**
 * Gives events of one organization, in this order, what each gets once: its number among those of its type about its
 * entity, from 1 without gaps, and in the same transaction its position in the organization's feed. So whatever has a
 * number is in the feed, and `sequence` rises along it.
 *
 * @param items at most `mostNumberedAtOnce`, and bytes of a transaction.
 * @returns the numbers by event id; none of an event that is published, or deleted.
 */
export type AssignNumbers = (items: readonly OutboxItem[], now: Date) => Promise<ReadonlyMap<string, number>>;

export const createNumbering =
  (table: Table): AssignNumbers =>
  (items, now) =>
    retryOnConflict(async () => {
      const keys = items.flatMap((item) => [
        { pk: item.pk, sk: item.sk },
        sequenceKey(item),
        feedKeys.counter(item.upstreamEntityId),
      ]);
      const found = await table.getAll(anyItem, keys);
      const byKey = new Map(found.map((item) => [`${item['pk']} ${item['sk']}`, item]));
      const { writes, numbers } = planned(table.items, items, (key) => byKey.get(keyText(key)), now);
      if (writes.length > 0) await table.transact(writes);
      return numbers;
    });
