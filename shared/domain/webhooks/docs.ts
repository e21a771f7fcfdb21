import { KB } from '#platform/aws/limits.ts';
import { as, documented, type FieldDocs } from '#platform/contract/documented.ts';
import { eventMeanings } from '../events/docs.ts';
import { webhookType } from '../events/payloads.ts';
import { receiverPorts } from './address.ts';
import {
  type deliveryAttempt,
  type deliveryFilters,
  deliveryStatus,
  longestAnswer,
  newWebhook,
  types,
  url,
  webhook,
  webhookChanges,
  webhookDelivery,
  webhookWithSecret,
} from './resource.ts';
import { failingDays, jitter, rememberedAttempts, retryDelays } from './schedule.ts';

/** `5 min` of 300,000 milliseconds. */
const inWords = (ms: number): string =>
  ms < 60_000 ? `${ms / 1_000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;

/** What the introduction says of the schedule (OpenAPI, "Retries"). */
export const scheduleWords = {
  retries: new Intl.ListFormat('en').format(retryDelays.map(inWords)),
  jitterPercent: jitter * 100,
  failingTime: `${failingDays} days`,
};

export const webhookTypeDocs = documented(webhookType, {
  id: 'WebhookType',
  description: 'Type of an event.',
  values: eventMeanings,
  examples: ['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED'],
});

export const typesDocs = documented(types, {
  description: 'Types of the events to deliver, each once.',
  uniqueItems: true,
  examples: [['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 'AGENT_LICENSE_EXPIRING']],
});

const urlDocs = documented(url, {
  description: `Where events are delivered: an https URL with port ${receiverPorts.join(' or ')}, a public host name or IP address, no credentials, and no fragment.`,
  examples: ['https://example.com/hooks/compliance'],
});

documented(newWebhook, {
  id: 'NewWebhook',
  description: 'A webhook to register.',
  examples: [
    {
      url: 'https://example.com/hooks/compliance',
      types: ['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 'AGENT_LICENSE_EXPIRING'],
    },
  ],
  fields: {
    url: urlDocs,
    types: typesDocs,
  },
});

documented(webhookChanges, {
  id: 'WebhookChanges',
  description: 'Fields to change; an omitted field is not changed.',
  minProperties: 1,
  examples: [{ types: ['AGENT_LICENSE_EXPIRING', 'AGENT_LICENSE_EXPIRED'] }],
  fields: {
    url: urlDocs,
    types: typesDocs,
    isActive: ['Whether events are delivered. `true` also clears `disabledReason`.', true],
  },
});

const fieldsDocs = {
  _id: 'Id of the webhook, `webhookId` elsewhere; deliveries carry it as `X-Service-Webhook-Id`.',
  url: ['Where events are delivered.', 'https://example.com/hooks/compliance'],
  types: as(webhookTypeDocs, 'Types of the events that are delivered, each once.'),
  isActive: 'Whether events are delivered. While it is false, deliveries stay `pending`.',
  disabledReason: [
    'Why the service disabled the webhook; null if it did not.',
    'The receiver responded with 410.',
  ],
  secretLastFour: ['The last four characters of the signing secret, to tell secrets apart.', 'k3Q='],
  createdAt: 'When the webhook was registered.',
  updatedAt: 'When the webhook last changed, its secret included.',
} satisfies FieldDocs<typeof webhook>;

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

documented(webhook, {
  id: 'Webhook',
  description: 'A receiver of events.',
  examples: [example],
  fields: fieldsDocs,
});

documented(webhookWithSecret, {
  id: 'WebhookWithSecret',
  description: 'A webhook with its signing secret, which is shown only here.',
  examples: [{ ...example, secret: 'whsec_bm90IGEgc2VjcmV0LCBhbiBleGFtcGxlIG9mIG9uZSE=' }],
  fields: {
    ...fieldsDocs,
    secret: [
      'Signing secret, shown only here. `X-Service-Signature` is keyed with the whole string exactly as returned; `webhook-signature` with the part after `whsec_`, decoded from base64.',
      'whsec_bm90IGEgc2VjcmV0LCBhbiBleGFtcGxlIG9mIG9uZSE=',
    ],
  },
});

export const deliveryStatusDocs = documented(deliveryStatus, {
  description: 'Whether the event was delivered.',
  values: {
    pending: 'An attempt is due or scheduled, or the webhook is disabled.',
    succeeded: 'The receiver responded with 2xx.',
    failed:
      'No attempt is left: the receiver responded with 410, every retry failed, or the event is no longer kept.',
  },
});

export const deliveryFiltersDocs = {
  status: as(deliveryStatusDocs, 'Only deliveries with this status.'),
  webhookType: as(webhookTypeDocs, 'Only deliveries of events of this type.'),
} satisfies FieldDocs<typeof deliveryFilters>;

const deliveryAttemptDocs = {
  attemptedAt: 'When the attempt began.',
  statusCode: ['Status code of the response; null if there was none.', 200],
  durationMs: [
    'How long the attempt took, in milliseconds, from resolving the name to the end of the response.',
    84,
  ],
  error: [
    'Why there was no complete response, such as `timeout` or `connection refused`; null if there was a response, whatever its status.',
    'timeout',
  ],
  responseBody: [
    `The first ${longestAnswer / KB} KB of the response body; null if there was no response.`,
    'ok',
  ],
} satisfies FieldDocs<typeof deliveryAttempt>;

documented(webhookDelivery, {
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
  fields: {
    _id: 'Id of the delivery, `deliveryId` in paths.',
    webhookId: 'Id of the webhook that receives the event.',
    eventId: [
      'The `eventId` of the event, the same in every delivery of it.',
      '0d6c4f0e-4c0c-8f5e-9a51-2f6a3c1d7b21',
    ],
    webhookType: as(webhookTypeDocs, 'Type of the event that is delivered.'),
    status: deliveryStatusDocs,
    attempts: {
      description: `The last ${rememberedAttempts} attempts, oldest first; empty before the first one.`,
      fields: deliveryAttemptDocs,
    },
    nextAttemptAt:
      'When the next attempt is due; null if none is, as after success and while the webhook is disabled.',
    createdAt: 'When the delivery was created, right after its event.',
    updatedAt: 'When an attempt or a redelivery last changed the delivery.',
  },
});
