import { type BusEntry, callBytes, entryBytes } from '../../shared/domain/events/bus-entry.ts';
import type { OutboxItem } from '../../shared/domain/events/stored.ts';
import { putEventsEntries } from '../../shared/platform/aws/limits.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { concurrently } from '../../shared/platform/data/concurrently.ts';
import { groupBy } from '../../shared/platform/data/group-by.ts';
import { toError } from '../../shared/platform/log/log.ts';
import { messageJson } from '../../shared/platform/queue/message-json.ts';
import { CallRejected, type EventBus, largestEntryBytes, type PutOutcome } from './bus.ts';
import { numberInOrder } from './number-in-order.ts';
import type { OutboxStore } from './outbox-store.ts';

export interface PublishDeps {
  readonly outbox: OutboxStore;
  readonly bus: EventBus;
  readonly now: () => Date;
  /** Called for each failure; the event stays in the outbox and will be retried. */
  readonly onFailure: (item: OutboxItem, error: unknown) => void;
  /** Called for each event that the bus can't accept as it is; it stays in the outbox until someone corrects it. */
  readonly onRefusal: (item: OutboxItem, reason: string) => void;
}

/** The events that were not published, by id: of those given, and of deferred ones that were taken along. */
export interface Unpublished {
  /** Worth a retry. */
  readonly failed: ReadonlySet<string>;
  /** Rejected by the bus as they are: nothing should wait for them. */
  readonly refused: ReadonlySet<string>;
}

/** Concurrent calls of the bus. */
const callsAtOnce = 10;

interface NumberedEvent {
  readonly item: OutboxItem;
  readonly entry: BusEntry;
}

/**
 * Publishes events of the outbox: each gets its sequence number and its position in the organization's feed, goes to the bus,
 * and then loses its entry among the unpublished ones: what has none is in the feed and on the bus, whatever crashed on the way.
 * See `numberInOrder` for the order. Events that fail stay in the outbox; those that are already published are skipped. An event
 * that the bus refuses holds back no other one.
 */
export async function publish(
  items: readonly OutboxItem[],
  { outbox, bus, now, onFailure, onRefusal }: PublishDeps,
): Promise<Unpublished> {
  const failed = new Set<string>();
  const refused = new Set<string>();
  const fail = (item: OutboxItem, error: unknown): void => {
    failed.add(item.eventId);
    onFailure(item, error);
  };
  const refuse = (item: OutboxItem, reason: string): void => {
    refused.add(item.eventId);
    onRefusal(item, reason);
  };

  /** Whether the bus can accept an event. */
  const fits = (item: OutboxItem): boolean => {
    const bytes = entryBytes(entryOf(item, Number.MAX_SAFE_INTEGER));
    if (bytes > largestEntryBytes) refuse(item, `${bytes} bytes are too many`);
    return bytes <= largestEntryBytes;
  };

  const settle = async (
    batch: readonly NumberedEvent[],
    outcomes: readonly (PutOutcome | undefined)[],
  ): Promise<void> => {
    const accepted: OutboxItem[] = [];
    for (const [index, { item }] of batch.entries()) {
      const result = outcomes[index];
      if (result?.outcome === 'accepted') accepted.push(item);
      else if (result?.outcome === 'refused') refuse(item, result.reason);
      else fail(item, new Error(result?.reason ?? 'The bus returned no result for the event.'));
    }
    await outbox.markPublished(accepted).catch((error: unknown) => {
      for (const item of accepted) fail(item, error);
    });
  };

  const send = async (batch: readonly NumberedEvent[]): Promise<void> => {
    try {
      await settle(batch, await bus.put(batch.map(({ entry }) => entry)));
    } catch (error) {
      const fault = error instanceof CallRejected ? error.fault : 'elsewhere';
      if (fault !== 'elsewhere' && batch.length > 1) {
        // One of them may be at fault: sent alone, it can't hold the others back.
        await Promise.all(batch.map((one) => send([one])));
      } else if (fault === 'entries') for (const { item } of batch) refuse(item, toError(error).message);
      else for (const { item } of batch) fail(item, error);
    }
  };

  // The stream may repeat an event, also within a batch.
  const distinct = [...new Map(items.map((item) => [item.eventId, item])).values()];
  const organizations = groupBy(distinct.filter(fits), ({ upstreamEntityId }) => upstreamEntityId);
  const deps = { outbox, now, fits, fail };
  const ofAll = await Promise.all(Array.from(organizations.values(), (given) => numberInOrder(given, deps)));
  const numbered = ofAll.flat().map(({ item, sequence }) => ({ item, entry: entryOf(item, sequence) }));
  const size = { bytes: callBytes, of: ({ entry }: NumberedEvent) => entryBytes(entry) };
  await concurrently(chunks(numbered, { count: putEventsEntries, size }), callsAtOnce, send);
  return { failed, refused };
}

/** The event as receivers will get it, and its owner. */
const entryOf = (item: OutboxItem, sequence: number): BusEntry => ({
  type: item.type,
  occurredAt: item.occurredAt,
  // Of the payload, consumers use what is no free text; receivers get it from the outbox, as it was written.
  detail: messageJson({
    eventId: item.eventId,
    webhookType: item.type,
    upstreamEntityId: item.upstreamEntityId,
    entityId: item.entityId,
    occurredAt: item.occurredAt,
    sequence,
    payload: item.payload,
  }),
});
