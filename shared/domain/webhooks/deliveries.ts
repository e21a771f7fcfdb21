import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { derivedObjectId } from '../../platform/data/object-id.ts';
import { storedItem } from '../../platform/data/stored.ts';
import { type AnyEvent, anyEvent } from '../events/event.ts';
import { statesOf } from './filter.ts';
import { type WebhookDelivery, webhookDelivery } from './resource.ts';
import { storedDelivery } from './stored.ts';

/** Where a delivery's event is: in the outbox under the entity it is about, with its number here, or here, as a test's is. */
const deliveredEvent = () =>
  z.union([
    object(() => ({ entityId: z.string(), sequence: z.int() })),
    object(() => ({ inline: anyEvent })),
  ]);

/** Whether it is the event of a test, which nothing but the test itself delivers. */
export const isTest = (event: z.output<ReturnType<typeof deliveredEvent>>): boolean => 'inline' in event;

/**
 * A delivery with what its owner does not see. The record is the truth of a delivery: a due entry only says when to read
 * it, and an entry that the record does not confirm is replaced by the one that it does, unless the record may be about to.
 */
export const queuedDelivery = storedItem(
  'webhooks/delivery',
  object(() => ({
    ...storedDelivery.shape,
    event: deliveredEvent(),
    /** The states that it names, by which a webhook's filter goes. */
    stateCodes: z.optional(z.array(z.string())),
    /** Number of the next attempt, which never falls; what is known of an earlier one is out of date. */
    attempt: z.int(),
    /** Retries made since the delivery was last begun; by them the schedule goes. */
    retry: z.int(),
  })),
);

export type QueuedDelivery = z.output<typeof queuedDelivery>;

/** A delivery as its owner sees it. */
export const deliveryView = (delivery: QueuedDelivery): WebhookDelivery => z.parse(webhookDelivery, delivery);

/** Attempts that a delivery remembers, its newest: two rounds of the schedule and some, well below an item's limit. */
export const rememberedAttempts = 25;

/** An event's delivery to a webhook: of the two there is one, however often it is written. */
export const deliveryIdOf = (eventId: string, webhookId: string): string =>
  derivedObjectId(eventId, webhookId);

/** A delivery before its first attempt; one to a webhook that is disabled waits until it is asked for. */
export const newDelivery = (
  event: Pick<AnyEvent, 'eventId' | 'webhookType' | 'payload'>,
  webhook: { readonly _id: string; readonly isActive: boolean },
  source: QueuedDelivery['event'],
  now: Date,
): QueuedDelivery => {
  const at = now.toISOString();
  const stateCodes = [...statesOf(event.payload)];
  return {
    _id: deliveryIdOf(event.eventId, webhook._id),
    webhookId: webhook._id,
    eventId: event.eventId,
    webhookType: event.webhookType,
    status: 'pending',
    attempts: [],
    nextAttemptAt: webhook.isActive ? at : null,
    createdAt: at,
    updatedAt: at,
    event: source,
    ...(stateCodes.length === 0 ? {} : { stateCodes }),
    attempt: 1,
    retry: 0,
  };
};
