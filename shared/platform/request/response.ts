import { commonHeaders } from '../contract/common-headers.ts';
import type { ApiError } from '../contract/errors.ts';
import { oauthError } from '../contract/oauth.ts';
import type { Route } from '../contract/route.ts';

/** A response to be sent. An iterable body is streamed. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string>;
  /** The members of the request's log line: our ids and names, nothing that the caller sent. */
  readonly account: Readonly<Record<string, unknown>>;
}

/** What every response says about its request. */
export interface Stamp {
  readonly requestId: string;
  readonly timestamp: string;
}

/** What a success says beside its data. */
export interface SuccessStamp extends Stamp {
  /** How many records are left out; only where there are some. */
  readonly recordsUnreadable?: number;
}

export const baseHeaders = (requestId: string): Record<string, string> => ({
  ...commonHeaders,
  'content-type': 'application/json',
  'x-request-id': requestId,
});

/** `{statusCode, data, requestId, timestamp}` as text (OpenAPI, "Responses"). */
export const envelopeText = (status: number, data: unknown, stamp: SuccessStamp): string =>
  JSON.stringify({ statusCode: status, data, ...stamp });

/**
 * The same envelope around an array that is written page by page. The closing brackets are written only when every page
 * was: a failure on the way leaves broken JSON, never a list that looks complete.
 *
 * @param stamp is called when every page was written.
 */
export async function* envelopeStream(
  pages: AsyncIterator<readonly unknown[]>,
  first: IteratorResult<readonly unknown[]>,
  stamp: () => SuccessStamp,
): AsyncGenerator<string> {
  let lead = '{"statusCode":200,"data":[';
  for (let page = first; page.done !== true; page = await pages.next()) {
    if (page.value.length === 0) continue;
    yield lead + JSON.stringify(page.value).slice(1, -1);
    lead = ',';
  }
  yield `${lead === ',' ? '' : lead}],${JSON.stringify(stamp()).slice(1)}`;
}

/** The error shape, or that of the standard which the route follows (OpenAPI, "Errors"). */
export const errorText = (error: ApiError, stamp: Stamp, standard?: Route['standard']): string =>
  JSON.stringify(
    (standard && oauthError(error)) ?? {
      statusCode: error.status,
      requestId: stamp.requestId,
      errorType: error.errorType,
      errorMessage: [error.message],
      timestamp: stamp.timestamp,
      ...(error.details === undefined ? {} : { details: error.details }),
    },
  );
