import { putEventsEntries } from '../../shared/aws/limits.ts';
import { chunks } from '../../shared/data/chunks.ts';
import { concurrently } from '../../shared/data/concurrently.ts';
import { groupBy } from '../../shared/data/group-by.ts';
import type { OutboxItem } from '../../shared/events/stored.ts';
import { toError } from '../../shared/log/to-error.ts';
import { messageJson } from '../../shared/queue/message-json.ts';
import {
  type BusEntry,
  CallRejected,
  callBytes,
  type EventBus,
  entryBytes,
  largestEntryBytes,
  type PutOutcome,
} from './bus.ts';
import type { DeferredStore } from './deferred-store.ts';
import type { OutboxStore } from './outbox-store.ts';

export interface PublishDeps {
  readonly outbox: OutboxStore;
  readonly deferred: Pick<DeferredStore, 'takeEarlier'>;
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
 * Publishes events of the outbox: each gets its sequence number, goes to the bus and leaves the index of unpublished ones. The
 * events of one entity are numbered in the order in which they are given, and deferred ones where they occurred, whether they
 * are given or still wait. Events that fail stay in the outbox; those that are already published are skipped. An event that the
 * bus refuses holds back no other one.
 */
export async function publish(
  items: readonly OutboxItem[],
  { outbox, deferred, bus, now, onFailure, onRefusal }: PublishDeps,
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

  /** Whether the bus can accept an event; if not, it gets no number, so that receivers do not miss one. */
  const fits = (item: OutboxItem): boolean => {
    const bytes = entryBytes(entryOf(item, Number.MAX_SAFE_INTEGER));
    if (bytes > largestEntryBytes) refuse(item, `${bytes} bytes are too many`);
    return bytes <= largestEntryBytes;
  };

  /** The events of an entity, with deferred ones that precede them and have no number yet. */
  const withEarlier = async (ofEntity: readonly OutboxItem[]): Promise<readonly OutboxItem[]> => {
    const pk = ofEntity[0]?.pk ?? '';
    const until = ofEntity.reduce((last, { occurredAt }) => (last > occurredAt ? last : occurredAt), '');
    const earlier = await deferred.takeEarlier(pk, until, now());
    const given = new Set(ofEntity.map(({ eventId }) => eventId));
    return inOrder([...ofEntity, ...earlier.filter((item) => !given.has(item.eventId) && fits(item))]);
  };

  const numberInOrder = async (given: readonly OutboxItem[]): Promise<NumberedEvent[]> => {
    const numbered: NumberedEvent[] = [];
    const ofEntity = await withEarlier(given).catch((error: unknown): readonly OutboxItem[] => {
      for (const item of given) fail(item, error);
      return [];
    });
    for (const item of ofEntity) {
      try {
        const sequence = await outbox.assignSequence(item);
        if (sequence !== undefined) numbered.push({ item, entry: entryOf(item, sequence) });
      } catch (error) {
        // The next ones of this entity would take its number.
        const from = ofEntity.indexOf(item);
        for (const later of ofEntity.slice(from)) fail(later, error);
        break;
      }
    }
    return numbered;
  };

  const settle = async ({ item }: NumberedEvent, result: PutOutcome | undefined): Promise<void> => {
    if (result?.outcome === 'accepted') {
      await outbox.markPublished(item, now()).catch((error: unknown) => fail(item, error));
    } else if (result?.outcome === 'refused') refuse(item, result.reason);
    else fail(item, new Error(result?.reason ?? 'The bus returned no result for the event.'));
  };

  const send = async (batch: readonly NumberedEvent[]): Promise<void> => {
    try {
      const outcomes = await bus.put(batch.map(({ entry }) => entry));
      await Promise.all(batch.map((one, index) => settle(one, outcomes[index])));
    } catch (error) {
      const fault = error instanceof CallRejected ? error.fault : 'elsewhere';
      if (fault !== 'elsewhere' && batch.length > 1) {
        // One of them may be at fault: sent alone, it can't hold the others back.
        await Promise.all(batch.map((one) => send([one])));
      } else if (fault === 'entries') for (const { item } of batch) refuse(item, toError(error).message);
      else for (const { item } of batch) fail(item, error);
    }
  };

  const entities = groupBy(items.filter(fits), ({ pk }) => pk);
  const numbered = (await Promise.all(Array.from(entities.values(), numberInOrder))).flat();
  const size = { bytes: callBytes, of: ({ entry }: NumberedEvent) => entryBytes(entry) };
  await concurrently(chunks(numbered, { count: putEventsEntries, size }), callsAtOnce, send);
  return { failed, refused };
}

/** The events as they are given, but deferred ones where they occurred: they came into the stream later. */
function inOrder(items: readonly OutboxItem[]): OutboxItem[] {
  const deferred = items
    .filter((item) => item.deferred === true)
    .sort((one, other) => (one.occurredAt < other.occurredAt ? -1 : 1));
  const ordered: OutboxItem[] = [];
  for (const item of items.filter((one) => one.deferred !== true)) {
    const next = deferred.findIndex(({ occurredAt }) => occurredAt >= item.occurredAt);
    ordered.push(...deferred.splice(0, next === -1 ? deferred.length : next), item);
  }
  return [...ordered, ...deferred];
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
