import * as z from 'zod/mini';
import type { AnyEvent } from './event.ts';
import { eventPayloads, type WebhookType } from './payloads.ts';
import { newEventId } from './stored.ts';

const documented = z.looseObject({ examples: z.tuple([z.unknown()], z.unknown()) });

/** An event with the payload that the OpenAPI document shows of its type; it is about nothing, so it is its first. */
export function exampleEvent(webhookType: WebhookType, upstreamEntityId: string, now: Date): AnyEvent {
  const { examples } = z.parse(documented, z.globalRegistry.get(eventPayloads[webhookType]));
  return {
    eventId: newEventId(),
    webhookType,
    upstreamEntityId,
    occurredAt: now.toISOString(),
    sequence: 1,
    payload: examples[0],
  };
}
