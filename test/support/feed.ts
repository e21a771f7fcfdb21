import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { examplePayloads } from '#domain/events/example-payloads.ts';
import { createEventItems } from '#domain/events/outbox.ts';
import { eventPrefix, type OutboxEvent, type OutboxType, outboxEvent } from '#domain/events/stored.ts';
import type { NewEvent } from '#domain/events/transaction-items.ts';
import { createOutboxStore } from '#domain/publishing/outbox-store.ts';
import { type EventBus, publish } from '#domain/publishing/publish.ts';
import { outboxTable } from '#domain/tables.ts';
import { newObjectId } from '#platform/data/keys.ts';
import { itemsOf, tableOf } from '#platform/data/table.ts';
import { type TransactionItem, transact } from '#platform/data/transact.ts';
import { recordingLogger } from './recording-logger.ts';
import { dynamo } from './tables.ts';

/** A bus that accepts everything. */
const openBus: EventBus = {
  put: async (entries) => entries.map(() => ({ outcome: 'accepted' })),
};

export interface Emitted {
  readonly upstreamEntityId: string;
  readonly type?: OutboxType;
  readonly entityId?: string;
  readonly isImported?: boolean;
}

/** The events among the writes of a transaction, in their order. */
export const eventsOfWrites = (writes: readonly TransactionItem[]): OutboxEvent[] =>
  writes
    .map(({ write }) => unmarshall(write.Put?.Item ?? {}))
    .filter(({ sk }) => String(sk).startsWith(eventPrefix))
    .map((item) => z.parse(outboxEvent, item));

/** Emits events with the example payloads of their types; answers the items in the order of the stream. */
export async function emitExamples(
  table: string,
  events: readonly Emitted[],
  now: Date,
): Promise<OutboxEvent[]> {
  const items: OutboxEvent[] = [];
  for (const {
    upstreamEntityId,
    type = 'AGENT_CREATED',
    entityId = newObjectId(now),
    isImported = false,
  } of events) {
    const payload = type in examplePayloads ? examplePayloads[type as keyof typeof examplePayloads] : {};
    const event = { type, upstreamEntityId, entityId, payload } as NewEvent;
    const writes = createEventItems(itemsOf(table), { areImported: isImported })([event], now);
    await transact(dynamo, writes);
    items.push(...eventsOfWrites(writes));
  }
  return items;
}

/** Publishes events as one run of the publisher does; answers the ids of those that failed. */
export async function publishAll(
  table: string,
  items: readonly OutboxEvent[],
  { now, bus = openBus }: { readonly now: () => Date; readonly bus?: EventBus },
): Promise<ReadonlySet<string>> {
  const { failures } = await publish(items, {
    outbox: createOutboxStore(tableOf(outboxTable, dynamo, table)),
    bus,
    now,
    log: recordingLogger(),
  });
  return failures;
}
