import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { timestamp } from '#platform/contract/primitives.ts';
import { shardAmong } from '#platform/data/keys.ts';
import { storedItem } from '#platform/data/stored.ts';
import type { FeedType, WebhookType } from './payloads.ts';

/**
 * An event for other parts of the service, never for receivers: something changed on which the compliance of an
 * entity depends.
 */
export const internalTypes = ['COMPLIANCE_INPUTS_CHANGED'] as const;

export const complianceInputsChanged = z.object({
  /** The NPN whose records changed; without one, something changed for every NPN of the owner. */
  npn: z.optional(z.string()),
});

export type OutboxType = WebhookType | FeedType | (typeof internalTypes)[number];

/** An event in the outbox, written once, with its change. Its keys are described in `shared/domain/tables.ts`. */
export const outboxEvent = storedItem('outbox/event', {
  pk: z.string(),
  sk: z.string(),
  eventId: z.string(),
  type: z.string(),
  upstreamEntityId: z.string(),
  entityId: z.string(),
  occurredAt: timestamp,
  payload: z.unknown(),
  /** Whether it is of an import: it then goes from the bus through queues of its own. */
  isImported: z.optional(z.literal(true)),
  /** Time at which it is deleted: `keptDays` after it was written, in seconds since 1970. */
  expiresAt: z.optional(z.int()),
});

export type OutboxEvent = z.output<typeof outboxEvent>;

/** An event of the outbox as receivers and readers of the feed get it. */
export const storedEvent = <Type extends string>(
  { eventId, upstreamEntityId, occurredAt, payload }: OutboxEvent,
  { webhookType, sequence }: { readonly webhookType: Type; readonly sequence: number },
) => ({ eventId, webhookType, upstreamEntityId, occurredAt, sequence, payload });

/** Entry of an event that is not published; it is deleted when the bus has the event. */
export type UnpublishedEntry = Pick<OutboxEvent, 'upstreamEntityId' | 'entityId' | 'eventId' | 'occurredAt'>;

/** Sort keys of an entity's events begin with this. */
export const eventPrefix = 'EVENT#';

/** Subject of an event: what it is about, and whose it is. */
type EventSubject = Pick<OutboxEvent, 'upstreamEntityId' | 'entityId'>;

export const outboxKeys = {
  event: (upstream: string, entityId: string, eventId: string) => ({
    pk: `${upstream}#${entityId}`,
    sk: `${eventPrefix}${eventId}`,
  }),
  sequence: (upstream: string, entityId: string, type: OutboxType) => ({
    pk: `${upstream}#${entityId}`,
    sk: `SEQUENCE#${type}`,
  }),
  unpublished: (event: UnpublishedEntry) => {
    const { pk, prefix } = unpublishedPlace(event);
    return { pk, sk: `${prefix}${entryName(event)}` };
  },
};

/** The entry of an unpublished event within those of its entity, in the order of time. */
export const entryName = ({ occurredAt, eventId }: Pick<OutboxEvent, 'occurredAt' | 'eventId'>): string =>
  `${occurredAt}#${eventId}`;

/** Items of an event at most. */
export const mostItemsOfEvent = 2;

/** The items of a new event: itself, and what says that it is not published. */
export function itemsOfEvent(event: OutboxEvent, expiresAt: number) {
  const { upstreamEntityId, entityId, eventId, occurredAt } = event;
  const entry = { upstreamEntityId, entityId, eventId, occurredAt, expiresAt };
  return [
    { ...event, expiresAt },
    { ...outboxKeys.unpublished(event), ...entry },
  ];
}

/** Partitions of the entries of unpublished events, so that no single partition carries every event. */
export const unpublishedShards = 64;

export const unpublishedPartition = (shard: number): string => `UNPUBLISHED#${shard}`;

/**
 * Place of the entries of an entity, together and in the order of time: a worker that numbers its events finds those before them
 * that have no number yet, and reads none of other entities, however many wait. The id comes first, so that the entries of a
 * carrier are not all before those of another one.
 */
export const unpublishedPlace = ({ upstreamEntityId, entityId }: EventSubject) => ({
  pk: unpublishedPartition(shardAmong(`${upstreamEntityId}#${entityId}`, unpublishedShards)),
  prefix: `${entityId}#${upstreamEntityId}#`,
});

/** Days for which the feed has an event, and a delivery can be made again (OpenAPI, "Webhooks", "listEvents"). */
export const feedDays = 30;

/** Days for which an event is stored: some to spare. */
export const keptDays = feedDays + 5;

/** The id of an event that several attempts may write: the same words always give the same id. */
export function derivedEventId(...words: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  // UUID version 8: for custom generation rules (RFC 9562, section 5.8).
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${((Number.parseInt(hash.slice(16, 17), 16) % 4) + 8).toString(16)}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}

export const newEventId = (): string => randomUUID();
