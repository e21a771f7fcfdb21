// Shared by the tests of events that an import defers: an outbox for each test, its stream, and a bus.

import * as z from 'zod/mini';
import { publishEntries, release } from '../../functions/event-publisher/handler.ts';
import { createOutboxStore, unpublishedEntry } from '../../functions/event-publisher/outbox-store.ts';
import type { BusEvent, EventBus } from '../../functions/event-publisher/publish.ts';
import { createEventItems } from '../../shared/domain/events/outbox.ts';
import {
  createReleases,
  type OutboxEvent,
  outboxEvent,
  type Releases,
} from '../../shared/domain/events/stored.ts';
import { outboxTable } from '../../shared/domain/table-designs.ts';
import { chunks } from '../../shared/platform/data/chunks.ts';
import { newObjectId } from '../../shared/platform/data/keys.ts';
import type { Pace } from '../../shared/platform/data/pace.ts';
import { itemsOf, tableOf } from '../../shared/platform/data/table.ts';
import { transact } from '../../shared/platform/data/transact.ts';
import { everyItem } from './every-item.ts';
import { recordingLogger } from './recording-logger.ts';
import { risingClock } from './rising-clock.ts';
import { createTable, dynamo } from './tables.ts';

export let table: string;
export let outbox: ReturnType<typeof createOutboxStore>;
export let releases: Releases;
export const now = risingClock();

beforeEach(async () => {
  table = await createTable(outboxTable);
  outbox = createOutboxStore(tableOf(outboxTable, dynamo, table));
  releases = createReleases(tableOf(outboxTable, dynamo, table));
});

export const carrier = newObjectId(new Date());

interface Emitted {
  readonly entityId: string;
  readonly owner?: string;
  readonly eventId?: string;
}

/** Emits events as an import does, or as a request does; answers their ids. */
async function emitAll(isDeferred: boolean, emitted: readonly Emitted[]): Promise<string[]> {
  const newItems = createEventItems(itemsOf(table), { deferred: isDeferred });
  const events = emitted.map(({ entityId, owner = carrier, eventId = crypto.randomUUID() }) => ({
    type: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED' as const,
    upstreamEntityId: owner,
    entityId,
    eventId,
    payload: { registryDataSubscriptionId: entityId, npn: '17654321' },
  }));
  const items = events.map((event) => newItems([event], now()));
  for (const some of chunks(items, { count: 30 })) await transact(dynamo, some.flat());
  return events.map(({ eventId }) => eventId);
}

/** Emits one; answers its id. */
export const emit = async (isDeferred: boolean, emitted: Emitted): Promise<string> =>
  (await emitAll(isDeferred, [emitted]))[0] ?? '';

/** Has events of so many records wait. */
export const deferMany = (count: number): Promise<string[]> =>
  emitAll(
    true,
    Array.from({ length: count }, () => ({ entityId: newObjectId(now()) })),
  );

const detail = z.looseObject({ eventId: z.string(), sequence: z.int() });

/** The bus, and what it has accepted: ids with their numbers, in the order of arrival. */
export function recordingBus() {
  const accepted: { readonly eventId: string; readonly sequence: number }[] = [];
  const bus: EventBus = {
    put: async (entries: readonly BusEvent[]) =>
      entries.map((entry) => {
        accepted.push(z.parse(detail, JSON.parse(entry.detail)));
        return { outcome: 'accepted' };
      }),
  };
  return { bus, accepted };
}

/** The outbox's stream: new events in the order in which they came in, each once, and no deferred ones. */
export function stream() {
  const seen = new Set<string>();
  return {
    async next(): Promise<OutboxEvent[]> {
      const items = (await everyItem(dynamo, table)).filter(({ sk }) => String(sk).startsWith('EVENT#'));
      const fresh = items
        .map((item) => z.parse(outboxEvent, item))
        .filter(({ eventId, deferred }) => deferred !== true && !seen.has(eventId))
        .sort((one, other) => (one.occurredAt < other.occurredAt ? -1 : 1));
      for (const { eventId } of fresh) seen.add(eventId);
      return fresh;
    },
  };
}

export const publishDeps = (bus: EventBus) => ({
  outbox,
  bus,
  now,
  log: recordingLogger(),
});

/** Slots that come at once, counted. */
export function countingPace() {
  const slots: number[] = [];
  const pace: Pace = async (count) => {
    slots.push(count);
    return Array.from({ length: count }, () => async () => undefined);
  };
  return { pace, slots };
}

/** Publishes deferred events to a bus. */
export const releaseAll = (
  bus: EventBus,
  {
    pace = countingPace().pace,
    hasTime = () => true,
  }: { readonly pace?: Pace; readonly hasTime?: () => boolean } = {},
) =>
  release({
    ...publishDeps(bus),
    releases,
    pace,
    hasTime,
    read: (item) => z.safeParse(outboxEvent, item).data,
  });

/** The deferred events that wait. */
export async function waiting(): Promise<Record<string, unknown>[]> {
  const items = await everyItem(dynamo, table);
  return items.filter(({ pk }) => String(pk).startsWith('DEFERRED#'));
}

/** Publishes some of the deferred events that wait, as a release does when it has found them. */
export const publishWaiting = async (bus: EventBus, count = Number.POSITIVE_INFINITY) =>
  publishEntries(
    (await waiting()).slice(0, count).map((item) => z.parse(unpublishedEntry, item)),
    { ...publishDeps(bus), read: (item) => z.safeParse(outboxEvent, item).data, hasTime: () => true },
  );
