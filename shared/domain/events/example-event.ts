import type { AnyEvent } from './event.ts';
import { examplePayloads } from './example-payloads.ts';
import type { WebhookType } from './payloads.ts';
import { newEventId } from './stored.ts';

/**
 * A test event with the payload that the OpenAPI document shows for its type; it concerns no real entity, so it is the first of
 * its sequence.
 */
export const exampleEvent = (webhookType: WebhookType, upstreamEntityId: string, now: Date): AnyEvent => ({
  eventId: newEventId(),
  webhookType,
  upstreamEntityId,
  occurredAt: now.toISOString(),
  sequence: 1,
  isTest: true,
  payload: examplePayloads[webhookType],
});
