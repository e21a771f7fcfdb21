import * as z from 'zod/mini';
import { feedEvent } from '../../shared/domain/events/event.ts';
import { webhookType, webhookTypes } from '../../shared/domain/webhooks/resource.ts';
import { described } from '../../shared/platform/contract/described.ts';
import { lazily } from '../../shared/platform/contract/lazily.ts';
import { pageQuery, wholeNumber } from '../../shared/platform/contract/primitives.ts';
import type { Route } from '../../shared/platform/contract/route.ts';

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
    description:
      'Only events of these types, separated by commas, such as `AGENT_CREATED,AGENT_UPDATED`; all types by default.',
  },
);

/** The query of the feed of events. */
const feedQuery = lazily(() => ({
  after: z.optional(
    wholeNumber(
      { min: 0, max: 999_999_999_999_999 },
      'Position after which to read: the `next` of the last response. Without it, the feed begins at the oldest event.',
    ),
  ),
  types: z.optional(listed),
  limit: pageQuery().limit,
}));

/** The feed: events from a position on. */
export const listEvents = {
  method: 'GET',
  path: '/v2/upstream/events',
  access: { kind: 'upstream', feature: 'webhook_settings' },
  summary: DOCUMENTED && 'List events',
  description:
    DOCUMENTED &&
    `Returns the organization’s events of the last 30 days, each once and in one order, with or without a webhook: poll it instead of registering a webhook, or to catch up with what a receiver missed. The events are the same as those that webhooks receive, with the same bodies; test events are not included.

Every event has a position: a number that starts at 1 and increases by one with each event of the organization. It is not part of the body. Events of the same type about the same entity are in the order of their \`sequence\`.

Begin without \`after\`. After processing \`items\`, store \`next\` and send it as \`after\` in the next request: immediately while \`hasMore\` is true, otherwise after a pause. This neither skips nor repeats an event. With a filter, \`items\` can be empty while \`hasMore\` is true, since a request looks at no more than 1,000 events; a response also ends at 4 MB.

An event can be read on the UTC day on which it was published and the 30 days after it. If events after \`after\` are no longer available, the response is 400 and names the oldest position; a position that does not exist yet is 400, too. With the position of the newest event, \`items\` is empty.`,
  success: DOCUMENTED && 'The events after that position, in order, and where to read on.',
  query: feedQuery,
  answer: { status: 200, cursor: feedEvent },
} as const satisfies Route;
