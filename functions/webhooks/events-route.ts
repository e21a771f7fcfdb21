import * as z from 'zod/mini';
import { described } from '../../shared/contract/described.ts';
import { pageQuery, wholeNumber } from '../../shared/contract/primitives.ts';
import type { Route } from '../../shared/contract/route.ts';
import { feedEvent } from '../../shared/events/event.ts';
import { webhookType, webhookTypes } from '../../shared/resources/webhook.ts';

/** Types of events, each once. */
export const types = described(
  z.array(webhookType).check(
    z.minLength(1),
    z.maxLength(webhookTypes.length),
    z.refine((given) => new Set(given).size === given.length, 'lists a type more than once'),
  ),
  DOCUMENTED && {
    description: 'Types of the events to deliver, each once.',
    uniqueItems: true,
    examples: [['ENTITY_COMPLIANCE_DATA_SYNCHRONIZED', 'AGENT_LICENSE_EXPIRING']],
  },
);

/** The same, separated by commas, as a query has them. */
const listed = described(
  z.pipe(
    z.string(),
    z.pipe(
      z.transform((list: string) => list.split(',')),
      types,
    ),
  ),
  DOCUMENTED && {
    description: 'Only events of these types, separated by commas; of all types by default.',
    examples: ['AGENT_LICENSE_EXPIRING,AGENT_LICENSE_EXPIRED'],
  },
);

/** The query of the feed of events. */
const feedQuery = {
  after: z.optional(
    wholeNumber(
      { min: 0, max: 999_999_999_999_999 },
      'Position after which to read: the `next` of the last response. Without it, the feed begins at the oldest event.',
    ),
  ),
  types: z.optional(listed),
  limit: pageQuery.limit,
};

/** The feed: events from a position on. */
export const listEvents = {
  method: 'GET',
  path: '/v2/upstream/events',
  access: { kind: 'upstream', feature: 'webhook_settings' },
  rate: 'none',
  summary: DOCUMENTED && 'List events',
  description:
    DOCUMENTED &&
    `Returns the organization’s events of the last 30 days in one order, whether or not a webhook receives them: an alternative to webhooks, and a way to catch up with what a receiver missed. Each event has a position, a number that increases by one with every event of the organization; events of the same type about the same entity are in the order of their \`sequence\`. Bodies are those that webhooks get. Test events are not included.

Send \`next\` of the last response as \`after\`, and store it once you have processed its \`items\`. Repeat at once while \`hasMore\` is true, else after some seconds or minutes. No event is skipped or repeated that way, so begin without \`after\` and keep one place. A response can have fewer items than \`limit\`, or none, although \`hasMore\` is true: it ends after 4 MB of payloads, and with \`types\` after 1,000 events that were looked at.

An \`after\` with events after it that are no longer kept returns 400, which names the oldest position; so does one that was never returned. An event is kept from its day, in UTC, until 30 days later.`,
  success: DOCUMENTED && 'The events after that position, in order, and where to read on.',
  query: feedQuery,
  answer: { status: 200, cursor: feedEvent },
  errors: [],
} as const satisfies Route;
