// What the webhooks' operations read and write: webhooks, the feed of events, and deliveries that are asked for again.
import * as z from 'zod/mini';
import { entriesOf, type FeedEntry, feedCounter, feedKeys, feedRun, mostInRun } from '#domain/events/feed.ts';
import { type OutboxEvent, outboxEvent, outboxKeys } from '#domain/events/stored.ts';
import {
  drainKey,
  drainRequest,
  dueEntryOf,
  storedDrain,
  type WebhookReference,
} from '#domain/webhooks/drain.ts';
import { webhookDelivery } from '#domain/webhooks/resource.ts';
import { scheduleDays } from '#domain/webhooks/schedule.ts';
import {
  deliveryItem,
  type QueuedDelivery,
  queuedDelivery,
  type StoredWebhook,
  storedWebhook,
  webhookItem,
  webhookKeys,
  webhookPartitions,
} from '#domain/webhooks/stored.ts';
import { batchGetKeys } from '#platform/aws/limits.ts';
import { collect } from '#platform/data/concurrently.ts';
import { absentOr, added, atLeast, below, between, isNew } from '#platform/data/expressions.ts';
import { anyItem, itemKey, parseIfStored } from '#platform/data/stored.ts';
import { type PageOf, pageAcross, type Table } from '#platform/data/table.ts';
import { retryOnConflict, type TransactionItem, VersionConflict } from '#platform/data/transact.ts';
import { expiresAfterDays } from '#platform/dates/dates.ts';
import { DomainError, limitReached } from '#platform/errors/domain-error.ts';

/** Fields of a delivery that must be equal, where they are given. */
type DeliveryFilter = {
  readonly [Field in 'status' | 'webhookType']?: QueuedDelivery[Field] | undefined;
};

/** Makes the items of the same transaction from what the change answers. */
type TransactionItemsOf = (webhook: StoredWebhook) => readonly TransactionItem[];

/** Webhooks that an organization may have (OpenAPI, "createWebhook"). */
export const mostWebhooks = 20;

/** Counts a new webhook. Refused with `state_conflict` where its owner has as many as it may have. */
const countNew = (table: Table, owner: string): TransactionItem =>
  table.items.update(
    webhookKeys.count(owner),
    { count: added(1) },
    { count: absentOr(below(mostWebhooks)) },
    () =>
      limitReached(
        `An organization can have at most ${mostWebhooks} webhooks; delete one first.`,
        mostWebhooks,
      ),
  );

export type WebhookStore = ReturnType<typeof createWebhookStore>;

export function createWebhookStore(table: Table<'by-webhook'>) {
  const find = (owner: string, webhookId: string) =>
    table.get(storedWebhook, webhookKeys.webhook(owner, webhookId));

  /** Asks for a drain, since what the last one knew of the webhook no longer holds. */
  const askForDrain = (owner: string, webhookId: string, now: Date, resetsHealth: boolean): TransactionItem =>
    table.items.update(
      drainKey({ owner, webhookId }),
      drainRequest({ owner, webhookId }, now, { resetsHealth }),
    );

  /** Writes what `plan` makes of the webhook, again while others change it in between. */
  function write<Result>(
    owner: string,
    webhookId: string,
    plan: (before: StoredWebhook) => { readonly result: Result; readonly items: readonly TransactionItem[] },
  ): Promise<Result> {
    return retryOnConflict(async () => {
      const before = await find(owner, webhookId);
      if (before === undefined) throw new DomainError('not_found');
      const { result, items } = plan(before);
      await table.transact(items);
      return result;
    });
  }

  return {
    /** Every webhook of an owner, oldest first. */
    list: (owner: string) =>
      table.query(storedWebhook, webhookPartitions.webhooks(owner), { consistent: true }),

    find,

    // The keys of all deliveries since then are counted, then those of the page are read: two waits that cannot be one. The index
    // holds what they are filtered by.
    /** A page of those of a webhook's deliveries since a time that match, newest first, and how many there are. */
    async deliveries(
      owner: string,
      webhookId: string,
      since: string,
      { status, webhookType, ...page }: PageOf & DeliveryFilter,
    ) {
      const filters = Object.entries({ status, webhookType }).filter(([, value]) => value !== undefined);
      const newestFirst = {
        index: 'by-webhook',
        descending: true,
        sort: atLeast(since),
        ...(filters.length === 0 ? {} : { filter: Object.fromEntries(filters) }),
      } as const;
      const partition = webhookPartitions.deliveries(owner, webhookId);
      const { pageItems, total } = await pageAcross(table.query(itemKey, partition, newestFirst), page);
      return { items: await table.getInOrder(webhookDelivery, pageItems), total };
    },

    /** @throws DomainError `state_conflict` when the owner has as many as it may have. */
    create: (owner: string, webhook: StoredWebhook, items: TransactionItemsOf) =>
      table.transact([
        countNew(table, owner),
        table.items.put(webhookItem(owner, webhook), isNew),
        ...items(webhook),
      ]),

    /**
     * Changes a webhook by what it is when it is changed, however many do so at once. What its receiver failed before a new
     * URL, or before it was enabled again, no longer counts.
     * @throws DomainError `not_found`; TransactionContention when others keep changing it.
     */
    change: (
      owner: string,
      webhookId: string,
      applyChange: (webhook: StoredWebhook) => StoredWebhook,
      items: TransactionItemsOf,
    ) =>
      write(owner, webhookId, (before) => {
        const { version } = before;
        const after = { ...applyChange(before), version: version + 1 };
        return {
          result: after,
          items: [
            table.items.put(webhookItem(owner, after), { version }),
            ...(resetsHealth(before, after)
              ? [askForDrain(owner, webhookId, new Date(after.updatedAt), true)]
              : []),
            ...items(after),
          ],
        };
      }),

    /**
     * Deletes a webhook and answers what it was.
     * @throws DomainError `not_found`; TransactionContention when others keep changing it.
     */
    delete: (owner: string, webhookId: string, now: Date, items: TransactionItemsOf) =>
      write(owner, webhookId, (before) => ({
        result: before,
        items: [
          table.items.delete(webhookKeys.webhook(owner, webhookId), { version: before.version }),
          table.items.update(webhookKeys.count(owner), { count: added(-1) }),
          // A check removes the due entries.
          askForDrain(owner, webhookId, now, false),
          ...items(before),
        ],
      })),
  };
}

/** Whether what a receiver failed no longer counts after a change. */
const resetsHealth = (before: StoredWebhook, after: StoredWebhook): boolean =>
  after.url !== before.url || (after.isActive && !before.isActive);

/** Events by id; one that is missing was deleted. */
type FeedEvents = ReadonlyMap<string, OutboxEvent>;

/** A position without an entry. Readers wait before it: passing over it would lose the event to them. */
export interface FeedStop {
  readonly owner: string;
  readonly position: number;
}

/** Organizations' feeds of events. Reads see every earlier write. */
export type FeedStore = ReturnType<typeof createFeedStore>;

export const createFeedStore = (outbox: Table) => ({
  /** Counter of an organization’s positions; undefined while it has none. */
  counter: (owner: string) => outbox.get(feedCounter, feedKeys.counter(owner)),

  /** The entries at positions, both ends included, in order; one that is not written yet is missing. */
  async entries(owner: string, from: number, to: number): Promise<FeedEntry[]> {
    // The run of the last position may end after it.
    const [first, last] = [feedKeys.run(owner, from), feedKeys.run(owner, to + mostInRun - 1)];
    const runs = { sort: between(first.sk, last.sk), consistent: true };
    const entries = (await collect(outbox.query(feedRun, first.pk, runs))).flatMap(entriesOf);
    return entries.filter(({ position }) => from <= position && position <= to);
  },

  /** The events of entries. */
  async events(owner: string, entries: readonly FeedEntry[]): Promise<FeedEvents> {
    const keys = entries.map(({ entityId, eventId }) => outboxKeys.event(owner, entityId, eventId));
    const events = await outbox.getAll(outboxEvent, keys);
    return new Map(events.map((event) => [event.eventId, event]));
  },
});

/**
 * Deliveries that an owner asks for. Of another organization's not one can be addressed. Each is written in one transaction
 * with its due entry and the request for a drain: after a crash the schedule finds it.
 */
export type DeliveryRequests = ReturnType<typeof createDeliveryRequests>;

/** The delivery as it is once it is asked for: due now, with the whole schedule before it. */
export const toRedeliver = (delivery: QueuedDelivery, now: Date): QueuedDelivery => ({
  ...delivery,
  status: 'pending',
  attempt: delivery.attempt + 1,
  retry: 0,
  nextAttemptAt: now.toISOString(),
  updatedAt: now.toISOString(),
});

/** Deliveries of one `requestRedelivery`: with their entries they fit a transaction, also when they have all their attempts. */
export const mostAskedAtOnce = 40;

/** Deliveries that are read at once. */
const readAtOnce = batchGetKeys;

const expiring = z.object({ expiresAt: z.int() });

export function createDeliveryRequests(table: Table<'by-webhook'>) {
  const redeliveryItem = (owner: string, redelivery: QueuedDelivery): TransactionItem => {
    const { status, attempt, retry, updatedAt } = redelivery;
    const { expiresAt } = z.parse(expiring, deliveryItem(owner, redelivery));
    const leastExpiry = expiresAfterDays(new Date(updatedAt), scheduleDays);
    return table.items.update(
      webhookKeys.delivery(owner, redelivery.webhookId, redelivery._id),
      {
        status,
        attempt,
        retry,
        nextAttemptAt: updatedAt,
        updatedAt,
        expiresAt: Math.max(expiresAt, leastExpiry),
      },
      { attempt: attempt - 1 },
    );
  };

  /** The due entries of deliveries, and the request for a drain. */
  const dueItems = (webhook: WebhookReference, deliveries: readonly QueuedDelivery[]): TransactionItem[] => {
    const entries = deliveries.flatMap((delivery) => dueEntryOf(webhook.owner, delivery) ?? []);
    const time = new Date(deliveries[0]?.updatedAt ?? 0);
    return [
      ...entries.map((entry) => table.items.put({ ...entry })),
      table.items.update(drainKey(webhook), drainRequest(webhook, time)),
    ];
  };

  return {
    /** A webhook as it is now, who drains it, and, where one is named, a delivery; in one read that sees every earlier write. */
    async find(owner: string, webhookId: string, deliveryId?: string) {
      const keys = {
        webhook: webhookKeys.webhook(owner, webhookId),
        drain: drainKey({ owner, webhookId }),
        ...(deliveryId === undefined ? {} : { delivery: webhookKeys.delivery(owner, webhookId, deliveryId) }),
      };
      const itemOf = await table.getByKey(anyItem, Object.values(keys));
      return {
        webhook: parseIfStored(storedWebhook, itemOf(keys.webhook)),
        drain: parseIfStored(storedDrain, itemOf(keys.drain)),
        delivery: parseIfStored(queuedDelivery, keys.delivery && itemOf(keys.delivery)),
      };
    },

    /** A webhook's deliveries that were made in a time, its end not included; oldest first, some at a time. */
    async *madeBetween(
      owner: string,
      webhookId: string,
      since: Date,
      until: Date,
    ): AsyncIterable<QueuedDelivery[]> {
      // What sorts the index goes on after the time, so that the end itself lies below what was made then.
      const sort = between(since.toISOString(), until.toISOString());
      const options = { index: 'by-webhook', sort, limit: readAtOnce } as const;
      const partition = webhookPartitions.deliveries(owner, webhookId);
      for await (const keys of table.query(itemKey, partition, options)) {
        yield table.getInOrder(queuedDelivery, keys);
      }
    },

    add: (owner: string, delivery: QueuedDelivery, items: readonly TransactionItem[]) =>
      table.transact([
        table.items.put(deliveryItem(owner, delivery), isNew),
        ...dueItems({ owner, webhookId: delivery.webhookId }, [delivery]),
        ...items,
      ]),

    /** Writes that deliveries of a webhook are asked for anew, all or none; false when one has gone on since it was read. */
    async requestRedelivery(
      webhook: WebhookReference,
      redeliveries: readonly QueuedDelivery[],
      items: readonly TransactionItem[],
    ) {
      try {
        // A transaction even where it is alone: when its answer is lost, it must not fail at what it did itself.
        await table.transact([
          ...redeliveries.map((redelivery) => redeliveryItem(webhook.owner, redelivery)),
          ...dueItems(webhook, redeliveries),
          ...items,
        ]);
        return true;
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        return false;
      }
    },

    /** Writes items alone, if there are any. */
    write: table.transact,
  };
}
