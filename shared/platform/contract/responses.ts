import * as z from 'zod/mini';
import { count, timestamp } from './primitives.ts';
import { type Answer, leavesOutRecords, type Route } from './route.ts';

export const requestId = z.string();

/** Whether the document says of a success that it counts what it leaves out; that of v1, which has the header alone, is frozen. */
export const countsLeftOut = (route: Route): boolean =>
  leavesOutRecords(route) && route.successor === undefined;

/** The success envelope around `data` (OpenAPI, "Responses"). */
export const envelope = <Data extends z.core.$ZodType>(route: Route, data: Data) =>
  z.object({
    statusCode: z.literal(route.answer.status),
    data,
    requestId,
    timestamp,
    ...(countsLeftOut(route) ? { recordsUnreadable: z.optional(z.int().check(z.gte(1))) } : {}),
  });

/** The members of a page beside its items. */
const pageCounts = { total: count, page: count, limit: count, totalPages: count };

/** The schema of `data` for a route's answer; undefined where the answer is a document without an envelope. */
export function dataSchema(answer: Answer): z.core.$ZodType | undefined {
  if ('one' in answer) return answer.one;
  if ('bare' in answer) return answer.bare;
  if ('all' in answer) return z.array(answer.all);
  if ('page' in answer) {
    return z.object({ [answer.as]: z.array(answer.page), ...pageCounts, ...answer.with });
  }
  if ('cursor' in answer) {
    return z.object({ items: z.array(answer.cursor), next: z.int(), hasMore: z.boolean() });
  }
  return undefined;
}

/**
 * Headers of every response, whether a function or the gateway itself gives it (OpenAPI, "Responses"). Browsers ignore
 * `strict-transport-security` over http, as in the local run.
 */
export const commonHeaders = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
} as const;

/**
 * `www-authenticate` of a 401 (RFC 6750, section 3). A gateway response has fixed headers, so a request without a token gets
 * the same error code as one with an expired token, although the RFC recommends none for it.
 */
export const challenge = 'Bearer realm="insurance-compliance-api", error="invalid_token"';

/** `www-authenticate` of a 401 of the token endpoint of RFC 6749 (section 5.2). */
export const basicChallenge = 'Basic realm="insurance-compliance-api"';

/** Under which name the gateway passes on a function's `www-authenticate`. */
export const remappedChallenge = 'x-amzn-remapped-www-authenticate';
