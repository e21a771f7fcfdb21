import * as z from 'zod/mini';
import { anyEvent } from '../../shared/domain/events/event.ts';
import { webhookType, webhookTypes } from '../../shared/domain/webhooks/resource.ts';
import { fields } from '../../shared/platform/contract/object.ts';
import { pageQuery, wholeNumber } from '../../shared/platform/contract/primitives.ts';
import type { Route } from '../../shared/platform/contract/route.ts';

/** Types of events, each once. */
export const types = z.array(webhookType).check(
  z.minLength(1),
  z.maxLength(webhookTypes.length),
  z.refine((given) => new Set(given).size === given.length, 'lists a type more than once'),
);

/** The same, separated by commas, as a query has them. */
export const listed = z.pipe(
  z.string(),
  z.pipe(
    z.transform((list: string) => list.split(',')),
    types,
  ),
);

/** Positions of the feed. */
export const positions = { min: 0, max: 999_999_999_999_999 };

/** The query of the feed of events. */
export const feedQuery = fields(() => ({
  after: z.optional(wholeNumber(positions)),
  types: z.optional(listed),
  limit: pageQuery.shape.limit,
}));

/** The feed: events from a position on. */
export const listEvents = {
  method: 'GET',
  path: '/v2/upstream/events',
  access: { kind: 'upstream', feature: 'webhook_settings' },
  query: feedQuery,
  answer: { status: 200, cursor: anyEvent },
} as const satisfies Route;
