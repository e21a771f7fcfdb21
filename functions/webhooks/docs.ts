import { publishedEvent } from '#domain/events/docs.ts';
import { feedDays } from '#domain/events/stored.ts';
import {
  deliveryFiltersDocs,
  deliveryStatusDocs,
  typesDocs,
  webhookTypeDocs,
} from '#domain/webhooks/docs.ts';
import { secretOverlapHours } from '#domain/webhooks/resource.ts';
import { MB } from '#platform/aws/limits.ts';
import { pageQueryDocs, timestampDocs, wholeNumberDocs } from '#platform/contract/docs.ts';
import { as, documented, type FieldDocs, type GroupDocs } from '#platform/contract/documented.ts';
import { mostBytes, mostPositions } from './list-events.ts';
import { mostReplayed } from './operations.ts';
import {
  deliveriesWindowHours,
  type feedQuery,
  position,
  positions,
  replay,
  replayAnswer,
  testEvent,
  type webhookRoutes,
} from './routes.ts';
import { mostWebhooks } from './store.ts';

documented(position, wholeNumberDocs(positions, 'Position of an event.'));

const feedQueryDocs = {
  after: {
    // As one of two types, it is a class in Java that cannot be left out of a query.
    omits: ['anyOf'],
    type: 'string',
    pattern: '^([0-9]{1,15}|latest)$',
    description:
      'Position after which to read: the `next` of the last response; or `latest`, for no events and the newest position. Without it, the feed begins at the oldest event.',
    examples: ['7'],
  },
  types: {
    description:
      'Only events of these types, separated by commas, such as `AGENT_CREATED,AGENT_UPDATED`; all types by default.',
    uniqueItems: true,
  },
  limit: pageQueryDocs.limit,
} satisfies FieldDocs<typeof feedQuery>;

documented(testEvent, {
  id: 'WebhookTest',
  description: 'The type of the example event; defaults to the first of the webhook’s types.',
  examples: [{ webhookType: 'ENTITY_COMPLIANCE_DATA_SYNCHRONIZED' }],
  fields: {
    webhookType: as(webhookTypeDocs, 'Type of the example event; the webhook’s first type by default.'),
  },
});

documented(replay, {
  id: 'WebhookReplay',
  description: 'Which events to deliver again.',
  examples: [{ since: '2026-06-01T00:00:00.000Z', until: '2026-06-02T00:00:00.000Z', status: 'failed' }],
  fields: {
    since: ['Replay deliveries created at or after this time.', '2026-06-01T00:00:00.000Z'],
    until: ['Replay deliveries created before this time.', '2026-06-02T00:00:00.000Z'],
    types: as(typesDocs, 'Replay only events of these types; of all the webhook’s deliveries by default.'),
    status: as(deliveryStatusDocs, {
      description: 'Replay only deliveries with this status; with any by default.',
      examples: ['failed'],
    }),
  },
});

documented(replayAnswer, {
  id: 'WebhookReplayResult',
  description: 'The result of a replay.',
  examples: [{ queued: 12, hasMore: false, nextSince: null }],
  fields: {
    queued: ['Number of deliveries that this request queued.', 12],
    hasMore: [
      `Whether more deliveries match; one request queues at most ${mostReplayed.toLocaleString('en')}.`,
      false,
    ],
    nextSince: 'Value of `since` for the next request; null when there are no more deliveries.',
  },
});

export const docs = {
  description: 'Receivers of events, deliveries to them, and the events themselves.',
  routes: {
    listWebhooks: {
      summary: 'List webhooks',
      description: `Returns all webhooks of the organization, oldest first; there are at most ${mostWebhooks}.`,
    },
    listEvents: {
      summary: 'List events',
      description: `Returns the organization’s events of the last ${feedDays} days, each once and in one order, with or without a webhook, as webhooks receive them; test events are not included. Only the feed has \`WEBHOOK_DISABLED\`, for when the service has disabled a webhook.

Begin without \`after\`, or, for only what happens from now on, with the \`next\` of a request with \`after=latest\`. After processing \`items\`, send \`next\` as \`after\` in the next request: immediately while \`hasMore\` is true, otherwise after a pause. This neither skips nor repeats an event. With a filter, \`items\` can be empty while \`hasMore\` is true, since a request reads at most ${mostPositions.toLocaleString('en')} events and ${mostBytes / MB} MB.

An \`after\` of which later events are no longer available returns 400 with \`details.earliest\`, the earliest that is accepted: events in between are lost. A position that does not exist yet returns 400, too.`,
      item: publishedEvent,
      query: feedQueryDocs,
    },
    createWebhook: {
      summary: 'Register a webhook',
      description: `Registers a receiver of events, which is active immediately. The signing secret is returned only here and when it is rotated. An organization can have at most ${mostWebhooks} webhooks.

The host must be public: not \`localhost\`, a single label, \`.local\`, or \`.internal\`, and all addresses that it resolves to must be public. Credentials and fragments are not accepted. Only the local environment also accepts \`http\` to a loopback address.`,
    },
    getWebhook: {
      summary: 'Get a webhook',
      description: 'Returns one webhook, without its secret.',
    },
    updateWebhook: {
      summary: 'Change a webhook',
      description: `Changes the URL, the types, or whether events are delivered; at least one is required. The signing secret stays the same.

\`isActive: true\` clears \`disabledReason\`; \`false\` keeps it. Changing the URL or enabling the webhook restarts the days of failures after which it is disabled.`,
    },
    deleteWebhook: {
      summary: 'Delete a webhook',
      description: 'Deletes a webhook and its deliveries, and returns the webhook as it was.',
    },
    rotateWebhookSecret: {
      summary: 'Rotate a webhook’s secret',
      description: `Creates a new signing secret. For ${secretOverlapHours} hours, \`webhook-signature\` has two signatures, one with the new secret and one with the previous one; \`X-Service-Signature\` uses the new secret immediately. A second rotation within ${secretOverlapHours} hours invalidates the older of the two secrets.`,
    },
    testWebhook: {
      summary: 'Test a webhook',
      description:
        'Delivers an example event, which has `isTest: true` and is never replayed. Without a body, or with `{}`, it has the first of the webhook’s types. A disabled webhook returns 409 `conflict`.',
    },
    listWebhookDeliveries: {
      summary: 'List the deliveries of a webhook',
      description: `Returns the deliveries since a time, newest first, each with its last attempts. They are kept for ${feedDays} days. New ones move the others to later positions: drop repeated ids, and read again from the first page.`,
      query: {
        ...pageQueryDocs,
        ...deliveryFiltersDocs,
        since: [
          `Only deliveries created at or after this time; ${deliveriesWindowHours} hours before the request by default.`,
          '2026-06-01T00:00:00.000Z',
        ],
      },
      with: {
        since: as(
          timestampDocs,
          'Start of the list: `total` counts the deliveries created at or after this time. Send it with the next page.',
        ),
      },
    },
    redeliverWebhookDelivery: {
      summary: 'Redeliver an event',
      description:
        'Delivers an event again, regardless of the status of its delivery, and restarts the retry schedule. A disabled webhook returns 409 `conflict`.',
    },
    replayWebhook: {
      summary: 'Replay events',
      description: `Delivers again the events whose deliveries were created from \`since\` (inclusive) to \`until\` (exclusive), oldest first, at most ${mostReplayed.toLocaleString('en')} in one request. Events from times when the webhook was disabled are included, test events are not. A disabled webhook returns 409 \`conflict\`.`,
    },
  },
} satisfies GroupDocs<typeof webhookRoutes.routes>;
