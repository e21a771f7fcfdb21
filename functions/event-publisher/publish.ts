import { groupBy } from '../../shared/data/group-by.ts';
import type { OutboxItem } from '../../shared/events/stored.ts';
import type { BusEntry, EventBus } from './bus.ts';
import type { OutboxStore } from './outbox-store.ts';

export interface PublishDeps {
  readonly outbox: OutboxStore;
  readonly bus: EventBus;
  readonly now: () => Date;
  /** Hears of each failure; the event stays in the outbox and is published again. */
  readonly onFailure: (item: OutboxItem, error: unknown) => void;
}

/** What EventBridge takes in one call. */
const entriesAtOnce = 10;

interface Numbered {
  readonly item: OutboxItem;
  readonly entry: BusEntry;
}

/**
 * Publishes events of the outbox: each gets its number, goes to the bus and leaves the index of what is unpublished. The
 * events of one entity are numbered in the order in which they are given. Whatever fails stays where it is; what was
 * published already is left alone.
 *
 * @returns ids of the events that are still to be published.
 */
export async function publish(
  items: readonly OutboxItem[],
  { outbox, bus, now, onFailure }: PublishDeps,
): Promise<ReadonlySet<string>> {
  const failed = new Set<string>();
  const fail = (item: OutboxItem, error: unknown) => {
    failed.add(item.eventId);
    onFailure(item, error);
  };

  const numberInOrder = async (ofEntity: readonly OutboxItem[]): Promise<Numbered[]> => {
    const numbered: Numbered[] = [];
    for (const item of ofEntity) {
      try {
        const sequence = await outbox.numbered(item);
        if (sequence !== undefined) numbered.push({ item, entry: entryOf(item, sequence) });
      } catch (error) {
        // The next ones of this entity would take its number.
        const from = ofEntity.indexOf(item);
        for (const waiting of ofEntity.slice(from)) fail(waiting, error);
        break;
      }
    }
    return numbered;
  };

  const entities = groupBy(items, ({ pk }) => pk);
  const numbered = (await Promise.all(Array.from(entities.values(), numberInOrder))).flat();

  const send = async (some: readonly Numbered[]): Promise<void> => {
    try {
      const taken = await bus.put(some.map(({ entry }) => entry));
      await Promise.all(
        some.map(async ({ item }, index) => {
          if (taken[index] !== true) return fail(item, new Error('The bus did not take the event.'));
          await outbox.markPublished(item, now()).catch((error: unknown) => fail(item, error));
        }),
      );
    } catch (error) {
      for (const { item } of some) fail(item, error);
    }
  };
  const chunks = Array.from({ length: Math.ceil(numbered.length / entriesAtOnce) }, (_, index) =>
    numbered.slice(index * entriesAtOnce, (index + 1) * entriesAtOnce),
  );
  await Promise.all(chunks.map(send));
  return failed;
}

/** The event as receivers will get it, and whose it is. */
const entryOf = (item: OutboxItem, sequence: number): BusEntry => ({
  type: item.type,
  occurredAt: item.occurredAt,
  detail: {
    eventId: item.eventId,
    webhookType: item.type,
    upstreamEntityId: item.upstreamEntityId,
    entityId: item.entityId,
    occurredAt: item.occurredAt,
    sequence,
    payload: item.payload,
  },
});
