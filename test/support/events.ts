import * as z from 'zod/mini';
import { eventPrefix, type OutboxEvent, outboxEvent } from '#domain/events/stored.ts';
import { everyItem } from './every-item.ts';
import { dynamo } from './tables.ts';

/** Every event that an outbox holds, as they were written; those of one moment by id. */
export async function eventsIn(table: string): Promise<OutboxEvent[]> {
  const items = (await everyItem(dynamo, table)).filter(({ sk }) => String(sk).startsWith(eventPrefix));
  const found = items.map((item) => z.parse(outboxEvent, item));
  const order = ({ occurredAt, eventId }: OutboxEvent) => `${occurredAt} ${eventId}`;
  return found.sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

/** The events for one carrier, in the order of `eventsIn`. */
export const eventsFor = async (table: string, carrier: string): Promise<OutboxEvent[]> =>
  (await eventsIn(table)).filter(({ upstreamEntityId }) => upstreamEntityId === carrier);

/** The events about one record, in the order of `eventsIn`. */
export const eventsAbout = async (table: string, id: unknown): Promise<OutboxEvent[]> =>
  (await eventsIn(table)).filter(({ entityId }) => entityId === id);
