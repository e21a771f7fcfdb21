import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import * as z from 'zod/mini';
import { putEventsBytes, putEventsTimeBytes } from '../../platform/aws/limits.ts';
import { fields, object } from '../../platform/contract/object.ts';
import { objectId, timestamp } from '../../platform/contract/primitives.ts';
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

export const envelopeFields = fields(() => ({
  eventId: z.uuid(),
  upstreamEntityId: objectId,
  occurredAt: timestamp,
  sequence: z.int().check(z.gte(1)),
  isTest: z.optional(z.literal(true)),
}));

/** The schema of a whole event of one type, as receivers get it (OpenAPI, "Events"). */
const payloads = { ...eventPayloads, ...feedPayloads };

export const eventOf = <Type extends WebhookType | FeedType>(type: Type) =>
  z.object({ ...envelopeFields.shape, webhookType: z.literal(type), payload: payloads[type] });

/** An event of which only the envelope is parsed. */
export const anyEvent = object(() => ({ ...envelopeFields.shape, webhookType, payload: z.unknown() }));

export type AnyEvent = z.output<typeof anyEvent>;

export const feedEventType = z.enum([...webhookTypes, ...feedTypes]);

/** Likewise an event of a feed. */
export const feedEvent = object(() => ({ ...anyEvent.shape, webhookType: feedEventType }));

export type FeedEvent = z.output<typeof feedEvent>;

/** An event of the outbox as receivers and readers of the feed get it. */
export const storedEvent = <Type extends string>(
  { eventId, upstreamEntityId, occurredAt, payload }: OutboxEvent,
  { webhookType, sequence }: { readonly webhookType: Type; readonly sequence: number },
) => ({ eventId, webhookType, upstreamEntityId, occurredAt, sequence, payload });

/** An event as a bus carries it; rules choose by `type`. */
export interface BusEvent {
  readonly type: string;
  readonly occurredAt: string;
  /** JSON of an object. */
  readonly detail: string;
}

/** An event as PutEvents takes it, for a bus by its name or ARN. */
export const putEventsEntry = (
  { type, occurredAt, detail }: BusEvent,
  busName: string,
): PutEventsRequestEntry => ({
  EventBusName: busName,
  Source: eventSource,
  DetailType: type,
  Time: new Date(occurredAt),
  Detail: detail,
});

/** Bytes of an entry as EventBridge counts them: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html. */
export const entryBytes = ({ type, detail }: BusEvent): number =>
  putEventsTimeBytes + Buffer.byteLength(eventSource) + Buffer.byteLength(type) + Buffer.byteLength(detail);

/** Most bytes of a call's entries together: their size must be less than the limit. */
export const callBytes = putEventsBytes - 1;
