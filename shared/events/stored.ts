import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { timestamp } from '../contract/primitives.ts';
import type { WebhookType } from './payloads.ts';

/**
 * What other parts of the service are told and no receiver is: that something changed on which the compliance of an
 * entity depends.
 */
export const internalTypes = ['COMPLIANCE_INPUTS_CHANGED'] as const;

export const complianceInputsChanged = z.object({
  /** The NPN whose records changed; without one, what the owner's products ask changed for everybody. */
  npn: z.optional(z.string()),
});

export type OutboxType = WebhookType | (typeof internalTypes)[number];

/** An event in the outbox; `sequence` is given when it is published. Its key design stands in `shared/data/tables.ts`. */
export const outboxItem = z.object({
  pk: z.string(),
  sk: z.string(),
  eventId: z.string(),
  type: z.string(),
  upstreamEntityId: z.string(),
  entityId: z.string(),
  occurredAt: timestamp,
  payload: z.unknown(),
  sequence: z.optional(z.int()),
  createdAt: timestamp,
});

export type OutboxItem = z.output<typeof outboxItem>;

export const outboxKeys = {
  event: (upstream: string, entityId: string, eventId: string) => ({
    pk: `${upstream}#${entityId}`,
    sk: `EVENT#${eventId}`,
  }),
  sequence: (upstream: string, entityId: string, type: OutboxType) => ({
    pk: `${upstream}#${entityId}`,
    sk: `SEQUENCE#${type}`,
  }),
};

/** Partitions of the index of what the bus has not taken yet, so that no one partition carries every event. */
export const unpublishedShards = 64;

export const unpublishedKey = (shard: number): string => `UNPUBLISHED#${shard}`;

export const shardOf = (eventId: string): number =>
  Number.parseInt(createHash('sha256').update(eventId).digest('hex').slice(0, 8), 16) % unpublishedShards;

/** Days for which an event can be delivered again (OpenAPI, "Webhooks"), and some to spare. */
export const keptDays = 35;

/** An id for an event of which there is one, whoever writes it however often: the same words always make the same. */
export function derivedEventId(...words: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(words)).digest('hex');
  // UUID version 8: made by a rule of one's own (RFC 9562, section 5.8).
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${((Number.parseInt(hash.slice(16, 17), 16) % 4) + 8).toString(16)}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}

export const newEventId = (): string => randomUUID();
