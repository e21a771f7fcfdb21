import * as z from 'zod/mini';
import { described } from '../contract/described.ts';
import { objectId, timestamp } from '../contract/primitives.ts';

/** Every type of event (OpenAPI, "Events"). */
export const webhookTypes = [
  'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
  'AGENT_COMPLIANCE_STATUS_CHANGE',
  'DOWNSTREAM_ENTITY_COMPLIANCE_STATUS_CHANGE',
  'PRODUCER_AGREEMENT_EXECUTED',
  'AGENT_REGULATORY_ACTION_UPDATED',
  'DOWNSTREAM_ENTITY_REGULATORY_ACTION_UPDATED',
  'AGENT_LICENSE_EXPIRING',
  'DOWNSTREAM_ENTITY_LICENSE_EXPIRING',
  'AGENT_LICENSE_EXPIRED',
  'DOWNSTREAM_ENTITY_LICENSE_EXPIRED',
  'AGENT_CREATED',
  'AGENT_UPDATED',
  'DOWNSTREAM_ENTITY_CREATED',
  'DOWNSTREAM_ENTITY_UPDATED',
  'AGENT_REGULATORY_ACTION_ADDED',
  'DOWNSTREAM_ENTITY_REGULATORY_ACTION_ADDED',
  'DOCUMENT_UPLOADED',
  'CONTRACT_SIGNED',
] as const;

export const webhookType = described(
  z.enum(webhookTypes),
  DOCUMENTED && {
    id: 'WebhookType',
    description: 'Type of an event.',
    examples: ['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED'],
  },
);

export type WebhookType = z.output<typeof webhookType>;

const fields = {
  _id: objectId,
  url: described(z.string(), DOCUMENTED && { examples: ['https://example.com/hooks/compliance'] }),
  types: z.array(webhookType),
  isActive: z.boolean(),
  disabledReason: described(
    z.nullable(z.string()),
    DOCUMENTED && {
      description: 'Why the service disabled the webhook; null if it did not.',
      examples: ['The receiver responded with 410.'],
    },
  ),
  secretLastFour: described(z.string(), DOCUMENTED && { examples: ['k3Q='] }),
  createdAt: timestamp,
  updatedAt: timestamp,
};

const example = {
  _id: '65f0c1d2e3a4b5c6d7e8f914',
  url: 'https://example.com/hooks/compliance',
  types: ['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 'AGENT_LICENSE_EXPIRING'],
  isActive: true,
  disabledReason: null,
  secretLastFour: 'k3Q=',
  createdAt: '2026-03-01T14:05:09.123Z',
  updatedAt: '2026-03-01T14:05:09.123Z',
} as const;

/** A webhook. */
export const webhook = described(
  z.object(fields),
  DOCUMENTED && {
    id: 'Webhook',
    description: 'A receiver of events.',
    examples: [example],
  },
);

export type Webhook = z.output<typeof webhook>;

/** A webhook together with its signing secret, which is shown once. */
export const webhookWithSecret = described(
  z.object({
    ...fields,
    secret: described(
      z.string(),
      DOCUMENTED && {
        description:
          'Signing secret, shown only here. `X-Service-Signature` is keyed with the whole string exactly as returned; `webhook-signature` with the part after `whsec_`, decoded from base64.',
        examples: ['whsec_bm90IGEgc2VjcmV0LCBhbiBleGFtcGxlIG9mIG9uZSE='],
      },
    ),
  }),
  DOCUMENTED && {
    id: 'WebhookWithSecret',
    description: 'A webhook with its signing secret, which is shown only here.',
    examples: [{ ...example, secret: 'whsec_bm90IGEgc2VjcmV0LCBhbiBleGFtcGxlIG9mIG9uZSE=' }],
  },
);

export type WebhookWithSecret = z.output<typeof webhookWithSecret>;

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;

/** One attempt to deliver. */
export const deliveryAttempt = z.object({
  attemptedAt: timestamp,
  statusCode: described(
    z.nullable(z.int()),
    DOCUMENTED && {
      description: 'Status code of the response; null if there was none.',
      examples: [200],
    },
  ),
  durationMs: z.int(),
  error: described(z.nullable(z.string()), DOCUMENTED && { examples: ['timeout'] }),
  responseBody: described(
    z.nullable(z.string()),
    DOCUMENTED && {
      description: 'The first 2 KB of the response body.',
      examples: ['ok'],
    },
  ),
});

/** The delivery of an event to a webhook, with the attempts so far. */
export const webhookDelivery = described(
  z.object({
    _id: objectId,
    webhookId: objectId,
    eventId: z.string(),
    webhookType,
    status: z.enum(deliveryStatuses),
    attempts: z.array(deliveryAttempt),
    nextAttemptAt: z.nullable(timestamp),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
  DOCUMENTED && {
    id: 'WebhookDelivery',
    description: 'The delivery of an event to a webhook, with the attempts so far.',
    examples: [
      {
        _id: '65f0c1d2e3a4b5c6d7e8f915',
        webhookId: '65f0c1d2e3a4b5c6d7e8f914',
        eventId: '0d6c4f0e-4c0c-4f5e-9a51-2f6a3c1d7b21',
        webhookType: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED',
        status: 'succeeded',
        attempts: [
          {
            attemptedAt: '2026-06-01T09:00:01.000Z',
            statusCode: 200,
            durationMs: 84,
            error: null,
            responseBody: 'ok',
          },
        ],
        nextAttemptAt: null,
        createdAt: '2026-06-01T09:00:00.000Z',
        updatedAt: '2026-06-01T09:00:01.084Z',
      },
    ],
  },
);

export type WebhookDelivery = z.output<typeof webhookDelivery>;
