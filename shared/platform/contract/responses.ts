import * as z from 'zod/mini';
import { ApiError, type ErrorType } from './errors.ts';
import { count, timestamp } from './primitives.ts';
import type { Answer, Route } from './route.ts';

export const requestId = z.string();

/** The success envelope around `data` (OpenAPI, "Responses"). */
export const envelope = <Data extends z.core.$ZodType>(route: Route, data: Data) =>
  z.object({
    statusCode: z.literal(route.answer.status),
    data,
    requestId,
    timestamp,
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

/** The only grant of the token endpoint (RFC 6749, section 4.4). */
export const clientCredentialsGrant = 'client_credentials';

/** A request for a token by another grant. */
export class UnsupportedGrantType extends ApiError {
  constructor() {
    super('validation_error', { message: `The grant_type must be ${clientCredentialsGrant}.` });
  }
}

/**
 * The codes of RFC 6749 (section 5.2, and for our own failures 4.1.2.1) that an `errorType` can have there. An error without
 * one, such as `rate_limit_exceeded`, keeps this API's shape.
 */
export const oauthCodes: ReadonlyMap<ErrorType, readonly string[]> = new Map<ErrorType, string[]>([
  ['validation_error', ['invalid_request', 'unsupported_grant_type']],
  ['unauthorized', ['invalid_client']],
  ['internal_server_error', ['server_error']],
  ['service_unavailable', ['temporarily_unavailable']],
]);

/** The shape of the errors of a route that follows RFC 6749 (OpenAPI, "Errors"). */
export const oauthErrorBody = z.object({
  error: z.enum([...oauthCodes.values()].flat()),
  error_description: z.string(),
});

/** An error as RFC 6749 has it; undefined for one that it has no code for. */
export function oauthError(error: ApiError): z.output<typeof oauthErrorBody> | undefined {
  const [usual, ofGrant] = oauthCodes.get(error.errorType) ?? [];
  const code = error instanceof UnsupportedGrantType ? ofGrant : usual;
  if (code === undefined) return undefined;
  // A description is ASCII without quotes and backslashes; a message can have a key of the caller's.
  const description = error.message.replaceAll('"', "'").replace(/[^ -[\]-~]/g, '?');
  return { error: code, error_description: description };
}
