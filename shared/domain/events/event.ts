import * as z from 'zod/mini';
import { described, describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';
import { lazyObject } from '../../platform/contract/lazy-object.ts';
import { objectId, timestamp } from '../../platform/contract/primitives.ts';
import { webhookType, webhookTypes } from '../webhooks/resource.ts';
import { eventPayloads, type WebhookType } from './payloads.ts';
import type { OutboxItem } from './stored.ts';

/** Names this service among the sources of a bus. */
export const eventSource = 'insurance-compliance';

const envelopeFields = lazily(() =>
  describedShape(
    {
      eventId: z.uuid(),
      upstreamEntityId: objectId,
      occurredAt: timestamp,
      sequence: z.int().check(z.gte(1)),
      isTest: z.optional(z.literal(true)),
    },
    DOCUMENTED && {
      eventId: {
        description:
          'The same in every delivery of the event: ignore events that you have already processed.',
        examples: ['0d6c4f0e-4c0c-8f5e-9a51-2f6a3c1d7b21'],
      },
      upstreamEntityId: 'Id of the organization whose webhooks receive the event.',
      occurredAt: 'When the change was written, in UTC.',
      sequence: {
        description:
          'Increases by one with each event of the same type about the same entity. A gap means that an event has not arrived yet; a lower number than the last means that this event is out of date.',
        examples: [1],
      },
      isTest: '`true` for an event that was requested as a test, with example data; absent otherwise.',
    },
  ),
);

/** The schema of a whole event of one type, as receivers get it (OpenAPI, "Events"). */
export const eventOf = <Type extends WebhookType>(type: Type) =>
  z.object({
    ...envelopeFields(),
    ...describedShape(
      { webhookType: z.literal(type), payload: eventPayloads[type] },
      DOCUMENTED && {
        webhookType: 'Type of the event, which determines the shape of `payload`.',
        payload: 'What changed, and what it concerns.',
      },
    ),
  });

/** An event of which only the envelope is parsed. */
export const anyEvent = lazyObject(() => ({ ...envelopeFields(), webhookType, payload: z.unknown() }));

export type AnyEvent = z.output<typeof anyEvent>;

/** An event as the feed shows it: documented and tested as one of its type, in the functions' bundles by its envelope. */
export const feedEvent: z.core.$ZodType<AnyEvent> = described(
  DOCUMENTED ? z.union(webhookTypes.map(eventOf)) : anyEvent,
  DOCUMENTED && {
    id: 'Event',
    description: 'An event, as webhooks receive it; `webhookType` determines the shape of `payload`.',
  },
);

/** An event of the outbox as receivers and readers of the feed get it. */
export const storedEvent = (
  { eventId, upstreamEntityId, occurredAt, payload }: OutboxItem,
  { webhookType, sequence }: Pick<AnyEvent, 'webhookType' | 'sequence'>,
): AnyEvent => ({ eventId, webhookType, upstreamEntityId, occurredAt, sequence, payload });
