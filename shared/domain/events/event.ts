import * as z from 'zod/mini';
import { objectId, timestamp } from '#platform/contract/primitives.ts';
import {
  eventPayloads,
  type FeedType,
  feedPayloads,
  feedTypes,
  type WebhookType,
  webhookType,
  webhookTypes,
} from './payloads.ts';
import type { OutboxEvent } from './stored.ts';

/** Names this service among the sources of a bus. */
export const eventSource = 'insurance-compliance';

export const envelopeFields = z.object({
  eventId: z.uuid(),
  upstreamEntityId: objectId,
  occurredAt: timestamp,
  sequence: z.int().check(z.gte(1)),
  isTest: z.optional(z.literal(true)),
});

/** The schema of a whole event of one type, as receivers get it (OpenAPI, "Events"). */
const payloads = { ...eventPayloads, ...feedPayloads };

export const eventOf = <Type extends WebhookType | FeedType>(type: Type) =>
  z.object({ ...envelopeFields.shape, webhookType: z.literal(type), payload: payloads[type] });

/** An event of which only the envelope is parsed. */
export const anyEvent = z.object({ ...envelopeFields.shape, webhookType, payload: z.unknown() });

export type AnyEvent = z.output<typeof anyEvent>;

export const feedEventType = z.enum([...webhookTypes, ...feedTypes]);

/** An event of a feed, of which only the envelope is parsed. */
export const feedEvent = z.object({ ...anyEvent.shape, webhookType: feedEventType });

export type FeedEvent = z.output<typeof feedEvent>;

/** An event of the outbox as receivers and readers of the feed get it. */
export const storedEvent = <Type extends string>(
  { eventId, upstreamEntityId, occurredAt, payload }: OutboxEvent,
  { webhookType, sequence }: { readonly webhookType: Type; readonly sequence: number },
) => ({ eventId, webhookType, upstreamEntityId, occurredAt, sequence, payload });
