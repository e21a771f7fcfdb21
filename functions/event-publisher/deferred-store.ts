import * as z from 'zod/mini';
import {
  deferredKey,
  deferredPrefix,
  type OutboxItem,
  outboxItem,
  outboxKeys,
  shardOf,
  unpublishedKey,
} from '../../shared/domain/events/stored.ts';
import { EventAlreadyEmitted } from '../../shared/domain/events/transaction-items.ts';
import { collect } from '../../shared/platform/data/collect.ts';
import { isNew, present, startsWith } from '../../shared/platform/data/expressions.ts';
import { anyItem, parseStored, storedItem } from '../../shared/platform/data/stored.ts';
import { type Outbox, oldestKeys } from './oldest-keys.ts';

/**
 * Events that wait for their slot. A deferred event lies beside its entity's events, under a sort key that the table's stream
 * passes by, and becomes one of them when it is released: from then on it goes the way of all events. What it was before
 * remains, without content, until the event has its number, so that a later event about the entity finds those that precede it
 * and `sequence` follows the order of the changes.
 */
export type DeferredStore = ReturnType<typeof createDeferredStore>;

const deferredEvent = storedItem(
  'outbox/deferred-event',
  z.looseObject({
    pk: z.string(),
    sk: z.string(),
    eventId: z.string(),
    upstreamEntityId: z.string(),
    entityId: z.string(),
    occurredAt: z.string(),
    /** Present while it waits. */
    unpublishedKey: z.optional(z.string()),
  }),
);

type DeferredEvent = z.output<typeof deferredEvent>;

const keyOf = ({ upstreamEntityId, entityId, eventId }: DeferredEvent) =>
  outboxKeys.event(upstreamEntityId, entityId, eventId);

/** Another worker has released the event since it was read. */
class AlreadyReleased extends Error {}

export function createDeferredStore(table: Outbox) {
  async function releaseOne(event: DeferredEvent, at: Date): Promise<void> {
    const { pk, sk } = event;
    const isWaiting = { unpublishedKey: present };
    const released = {
      ...event,
      ...keyOf(event),
      createdAt: at.toISOString(),
      unpublishedKey: unpublishedKey(shardOf(pk)),
    };
    try {
      await table.transact([
        table.items.update(
          { pk, sk },
          { unpublishedKey: undefined, payload: undefined },
          isWaiting,
          () => new AlreadyReleased(),
        ),
        table.items.put(released, isNew, () => new EventAlreadyEmitted()),
      ]);
    } catch (error) {
      if (error instanceof AlreadyReleased) return;
      if (!(error instanceof EventAlreadyEmitted)) throw error;
      // A later attempt of the same import emitted it again, under its derived id, after it had its number.
      await table.delete({ pk, sk }, isWaiting);
    }
  }

  return {
    /**
     * Keys of deferred events: some of every shard at a time, oldest first. The index lags, so that an event may have been
     * released since.
     */
    waiting: (before: Date) => oldestKeys(table, deferredKey, before),

    /**
     * Releases an event, as it is stored, into the table's stream; one that was released before stays as it is.
     * @param at when it comes into the stream.
     */
    release: (item: unknown, at: Date) => releaseOne(parseStored(deferredEvent, item), at),

    /**
     * The events about an entity that occurred before then, were deferred, and have no number yet, in their order. Those that
     * were waiting are released.
     */
    async takeEarlier(pk: string, before: string, at: Date): Promise<OutboxItem[]> {
      const deferred = { sort: startsWith(deferredPrefix), consistent: true };
      // One that cannot be read must not hold up the entity's events; those who release it or read the stream report it.
      const earlier = (await collect(table.query(anyItem, pk, deferred)))
        .flatMap((item) => z.safeParse(deferredEvent, item).data ?? [])
        .filter(({ occurredAt }) => occurredAt < before)
        .sort((one, other) => (one.occurredAt < other.occurredAt ? -1 : 1));
      for (const event of earlier) if (event.unpublishedKey !== undefined) await releaseOne(event, at);
      const found = await table.getAll(anyItem, earlier.map(keyOf));
      const byId = new Map(found.map((item) => [item['eventId'], item]));
      return earlier.flatMap(({ eventId }) => z.safeParse(outboxItem, byId.get(eventId)).data ?? []);
    },
  };
}
