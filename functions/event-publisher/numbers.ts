import type { DynamoDBClient, Update } from '@aws-sdk/client-dynamodb';
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
import { batchGet } from '../../shared/platform/data/batch-get.ts';
import { itemKey } from '../../shared/platform/data/common-keys.ts';
import { toItem } from '../../shared/platform/data/dynamo.ts';
import { retryOnConflict, VersionConflict } from '../../shared/platform/data/optimistic-lock.ts';
import { parseIfStored, storedItem } from '../../shared/platform/data/stored.ts';
import { type TransactionItem, transact, unconditional } from '../../shared/platform/data/transact.ts';
import { expiresAfterDays } from '../../shared/platform/dates/expiry.ts';

/** Writes that an event adds to a transaction at most: itself, its number's counter, its entry, what it was when deferred. */
const writesOfEvent = 4;

/** Events of one transaction, which also advances the organization's counter. */
const mostNumberedAtOnce = Math.floor((transactionItems - 1) / writesOfEvent);

/** More than an event's other attributes, its entry and its counter have together. */
const bytesBeside = 4 * KB;

/** What fits into one call of `assignNumbers`: a transaction counts whole items, also of those that it only updates. */
export const numberedAtOnce = {
  count: mostNumberedAtOnce,
  size: { bytes: transactionBytes, of: (item: OutboxItem) => payloadBytes(item) + bytesBeside },
} as const;

interface Key {
  readonly pk: string;
  readonly sk: string;
}

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

/** The update of an item as long as attributes are what they were when they were read. */
const update = (TableName: string, { pk, sk }: Key, set: object, was: object): TransactionItem => {
  const names = Object.keys({ ...set, ...was });
  const isAsRead = Object.entries(was).map(([name, value]) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :was_${name}`,
  );
  const Update: Update = {
    TableName,
    Key: toItem({ pk, sk }),
    UpdateExpression: `SET ${Object.keys(set).map((name) => `#${name} = :${name}`)}`,
    ConditionExpression: isAsRead.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: toItem({
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      ...Object.fromEntries(
        Object.entries(was).flatMap(([name, value]) =>
          value === undefined ? [] : [[`:was_${name}`, value]],
        ),
      ),
    }),
  };
  return { write: { Update }, refused: assignedElsewhere };
};

/** The writes that number events and place them in the feed, and all their numbers. */
function planned(
  table: string,
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
    const Item = toItem(
      feedItem(upstream, { position, eventId, entityId, type, sequence, bytes: payloadBytes(item) }, now),
    );
    return [
      update(
        table,
        item,
        { sequence, ...(isPlaced ? {} : placed) },
        { unpublishedKey, sequence: current.sequence, position: current.position },
      ),
      ...(isPlaced ? [] : [unconditional({ Put: { TableName: table, Item } })]),
      // An event with a number has its place among the others, deferred or not.
      ...(item.deferred === true
        ? [
            unconditional({
              Delete: { TableName: table, Key: toItem(outboxKeys.deferred(upstream, entityId, eventId)) },
            }),
          ]
        : []),
    ];
  });

  const ofNumbers = Array.from(counters.values(), ({ key, before: was, last }) =>
    update(table, key, { last }, { last: was }),
  );
  const { last, firsts } = advancedTo(feed, position, now);
  const ofFeed =
    position === feed.last ? [] : [update(table, feedKey, { last, firsts }, { last: before?.last })];
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
  (client: DynamoDBClient, table: string): AssignNumbers =>
  (items, now) =>
    retryOnConflict(async () => {
      const keys = items.flatMap((item) => [
        { pk: item.pk, sk: item.sk },
        sequenceKey(item),
        feedKeys.counter(item.upstreamEntityId),
      ]);
      const distinct = new Map(keys.map((key) => [keyText(key), key]));
      const found = await batchGet(client, table, Array.from(distinct.values(), itemKey), {
        consistent: true,
      });
      const byKey = new Map(found.map((item) => [`${item['pk']} ${item['sk']}`, item]));
      const { writes, numbers } = planned(table, items, (key) => byKey.get(keyText(key)), now);
      if (writes.length > 0) await transact(client, writes);
      return numbers;
    });
