import * as z from 'zod/mini';
import { feedEvent } from '../../shared/domain/events/event.ts';
import { feedTypes } from '../../shared/domain/events/feed-types.ts';
import { webhookType, webhookTypes } from '../../shared/domain/webhooks/resource.ts';
import { fields } from '../../shared/platform/contract/object.ts';
import { pageQuery, wholeNumber } from '../../shared/platform/contract/primitives.ts';
import type { Route } from '../../shared/platform/contract/route.ts';

const eachOnce = <const Type extends string>(types: readonly [Type, ...Type[]], type = z.enum(types)) =>
  z.array(type).check(
    z.minLength(1),
    z.maxLength(types.length),
    z.refine((given) => new Set(given).size === given.length, 'lists a type more than once'),
  );

/** Types of events, each once. */
export const types = eachOnce(webhookTypes, webhookType);

/** Positions of the feed. */
export const positions = { min: 0, max: 999_999_999_999_999 };

/** The query of the feed of events. */
export const feedQuery = fields(() => ({
  after: z.optional(wholeNumber(positions)),
  /** Separated by commas. */
  types: z.optional(
    z.pipe(
      z.string(),
      z.pipe(
        z.transform((list: string) => list.split(',')),
        eachOnce([...webhookTypes, ...feedTypes]),
      ),
    ),
  ),
  limit: pageQuery.shape.limit,
}));

/** The feed: events from a position on. */
export const listEvents = {
  method: 'GET',
  path: '/v2/upstream/events',
  access: { kind: 'upstream', feature: 'webhook_settings' },
  query: feedQuery,
  answer: { status: 200, cursor: feedEvent },
} as const satisfies Route;
