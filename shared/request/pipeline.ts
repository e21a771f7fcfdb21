import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { isTransactionConflict, isTransient } from '../aws/transient-errors.ts';
import type { ApiContext } from '../config/context.ts';
import { dataSchema } from '../contract/envelope.ts';
import { ApiError, invalid } from '../contract/errors.ts';
import { objectId } from '../contract/primitives.ts';
import {
  pathParameters,
  type RateClass,
  type Route,
  type RouteGroup,
  type RouteTable,
  takesIdempotencyKey,
} from '../contract/route.ts';
import { type Identity, identity } from '../identity/identity.ts';
import { baseUrlOf } from './base-url.ts';
import { multipartForm, parseForm } from './form.ts';
import type { Idempotency } from './idempotency.ts';
import { idempotencyKey } from './idempotency-key.ts';
import type { Operations } from './operation.ts';
import type { RateLimiter, RateState } from './rate-limit.ts';
import { refusalOf } from './refusal.ts';
import {
  type ApiResponse,
  baseHeaders,
  envelopeStream,
  envelopeText,
  errorText,
  retryAfterSeconds,
  type Stamp,
} from './response.ts';
import { isMediaType, otherMediaType, parseInput, parseJson, singleValues } from './validation.ts';

/** A group with limited routes must be given a limiter, and one with writes the memory of their keys. */
type GuardsOf<Table extends RouteTable> = (Table[keyof Table]['rate'] extends 'none'
  ? object
  : { readonly rateLimiter: RateLimiter }) &
  (Exclude<Table[keyof Table]['rate'], 'token'> extends 'none' | 'download'
    ? object
    : { readonly idempotency: Idempotency });

/** Everything a route group needs to answer. */
export type Wiring<Table extends RouteTable, Deps> = ApiContext &
  GuardsOf<Table> & {
    readonly group: RouteGroup<Table>;
    readonly operations: Operations<Table, Deps>;
    readonly deps: Deps;
  };

/** Answers one request; it never rejects. A streamed body may still fail while it is read. */
export type Pipeline = (event: APIGatewayProxyEvent, context: Context) => Promise<ApiResponse>;

/**
 * A table's row made ready: its schemas are built once. The table ties every operation to the types of its row; behind
 * the map one type must serve all rows, so here they are unknown.
 */
interface Endpoint {
  readonly operationId: string;
  readonly route: Route;
  readonly params: z.core.$ZodType;
  readonly query: z.core.$ZodType;
  readonly data: z.core.$ZodType | undefined;
  readonly operate: (request: unknown) => unknown;
}

/** What is known of a request in the course of answering it. */
interface Course {
  readonly event: APIGatewayProxyEvent;
  readonly context: Context;
  readonly at: Date;
  readonly stamp: Stamp;
  /** Headers of the answer, whether it succeeds or not. */
  readonly headers: Record<string, string>;
}

/**
 * Makes the pipeline of a route group: identity, rate limit, validation, idempotency, operation, check of the answer.
 * Every failure leaves through one exit: what the caller did wrong is explained, what we did wrong is logged.
 */
export function createPipeline<Table extends RouteTable, Deps>(wiring: Wiring<Table, Deps>): Pipeline {
  const { logger } = wiring;
  // The compiler has asked the wiring for what its table needs; in here the table is any table.
  const guards = wiring as { readonly rateLimiter?: RateLimiter; readonly idempotency?: Idempotency };
  const endpoints = endpointsOf(wiring.group.routes, wiring.operations, wiring.deps);

  /** Parses an answer by its own schema, which also drops what the schema does not name. */
  function checked(endpoint: Endpoint, data: unknown, stamp: Stamp): unknown {
    if (endpoint.data === undefined) return data;
    const result = z.safeParse(endpoint.data, data);
    if (result.success) return result.data;
    logger.error('An answer breaks its own schema.', {
      event: 'response_breaks_schema',
      operationId: endpoint.operationId,
      requestId: stamp.requestId,
      faults: result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    });
    if (wiring.responseCheck === 'refuse') throw new ApiError('internal_server_error');
    return data;
  }

  /** Counts the request; undefined when it is not limited. */
  async function limit(
    rateClass: RateClass,
    subject: () => string,
    course: Course,
  ): Promise<RateState | undefined> {
    if (rateClass === 'none') return undefined;
    if (guards.rateLimiter === undefined) throw new Error('A limited route has no rate limiter.');
    try {
      return await guards.rateLimiter.take(rateClass, subject(), course.at.getTime());
    } catch (error) {
      // Counting protects the service; when the counters are down, refusing everyone would do the harm it prevents.
      logger.error('The rate counters cannot be reached; the request is admitted uncounted.', {
        event: 'rate_counters_unreachable',
        requestId: course.stamp.requestId,
        error: asError(error),
      });
      return undefined;
    }
  }

  async function* checkedPages(endpoint: Endpoint, pages: AsyncIterable<readonly unknown[]>, stamp: Stamp) {
    for await (const page of pages) yield checked(endpoint, page, stamp) as readonly unknown[];
  }

  async function bodyOf(endpoint: Endpoint, outcome: unknown, query: unknown, stamp: Stamp) {
    const { answer } = endpoint.route;
    if ('document' in answer) return outcome as string;
    if ('page' in answer) {
      const { items, ...rest } = outcome as { readonly items: readonly unknown[]; readonly total: number };
      const { page, limit: size } = query as { readonly page: number; readonly limit: number };
      const data = {
        [answer.as]: items,
        ...rest,
        page,
        limit: size,
        totalPages: Math.ceil(rest.total / size),
      };
      return envelopeText(answer.status, checked(endpoint, data, stamp), stamp);
    }
    if ('all' in answer) {
      const pages = checkedPages(endpoint, outcome as AsyncIterable<readonly unknown[]>, stamp);
      // The first page is read before the status line is sent, so that what fails at once still is a proper error.
      return envelopeStream(pages, await pages.next(), stamp);
    }
    return envelopeText(answer.status, checked(endpoint, outcome, stamp), stamp);
  }

  async function answer(endpoint: Endpoint, caller: Identity | undefined, course: Course) {
    const { event, stamp, at } = course;
    const { route } = endpoint;
    const headers = lowerCased(event.headers);

    const rate = await limit(route.rate, () => rateSubject(route.rate, caller, event), course);
    if (rate !== undefined) Object.assign(course.headers, rateHeaders(rate, at));
    if (rate?.admitted === false) throw new ApiError('rate_limit_exceeded');

    const { status } = route.answer;
    const request = {
      params: parseInput(endpoint.params, event.pathParameters ?? {}),
      query: parseInput(endpoint.query, singleValues(event.multiValueQueryStringParameters)),
      body: await parseBody(route, event, headers['content-type']),
      identity: caller,
      requestId: stamp.requestId,
      now: at,
      baseUrl: () => baseUrlOf(event, headers),
    };

    const key = takesIdempotencyKey(route) ? idempotencyKey(headers) : undefined;
    if (key === undefined) {
      const outcome = await endpoint.operate({ ...request, remember: () => [] });
      return { status, body: await bodyOf(endpoint, outcome, request.query, stamp) };
    }
    if (guards.idempotency === undefined) throw new Error('A write has no memory of idempotency keys.');
    const finish = (data: unknown) => ({
      status,
      body: envelopeText(status, checked(endpoint, data, stamp), stamp),
    });
    const scope = [caller?.organizationId ?? '', caller?.credentialId ?? '', route.method, event.path];
    const remembered = await guards.idempotency.once(
      { key, scope, body: request.body },
      course.context,
      async (step) => {
        let promised: ReturnType<typeof finish> | undefined;
        const remember = (data: unknown) => {
          promised = finish(data);
          return step(promised);
        };
        const outcome = await endpoint.operate({ ...request, remember });
        return promised ?? finish(outcome);
      },
    );
    if (remembered.replayed) course.headers['idempotency-replayed'] = 'true';
    return { status: remembered.status, body: remembered.body };
  }

  return async (event, context) => {
    const at = wiring.now();
    const requestId = `${wiring.environment}-${event.requestContext.requestId}`;
    const stamp = { requestId, timestamp: at.toISOString() };
    const headers = baseHeaders(requestId);
    const endpoint = endpoints.get(`${event.httpMethod} ${event.resource}`);
    const caller = callerOf(event);
    const account = {
      requestId,
      method: event.httpMethod,
      route: event.resource,
      operationId: endpoint?.operationId,
      organizationId: caller?.organizationId,
      credentialId: caller?.credentialId,
    };
    try {
      if (endpoint === undefined) {
        throw new ApiError('not_found', { message: 'No endpoint has this method and path.' });
      }
      if (endpoint.route.access !== 'public' && caller === undefined) throw new ApiError('unauthorized');
      const answered = await answer(endpoint, caller, { event, context, at, stamp, headers });
      return { ...answered, headers, account };
    } catch (error) {
      const told = toApiError(error);
      if (told.status >= 500) {
        logger.error('A request failed.', { event: 'request_failed', ...account, error: asError(error) });
      }
      const retryAfter = retryAfterSeconds(told.errorType);
      if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
      const paths = told.details?.issues?.map((issue) => issue.path);
      return {
        status: told.status,
        headers,
        body: errorText(told, stamp),
        account: { ...account, errorType: told.errorType, issues: paths },
      };
    }
  };
}

function endpointsOf<Table extends RouteTable, Deps>(
  routes: Table,
  operations: Operations<Table, Deps>,
  deps: Deps,
): ReadonlyMap<string, Endpoint> {
  return new Map(
    Object.entries(routes).map(([operationId, route]) => {
      const operation = operations[operationId] as (request: unknown, deps: Deps) => unknown;
      const endpoint: Endpoint = {
        operationId,
        route,
        params: z.strictObject(
          Object.fromEntries(pathParameters(route.path).map((name) => [name, objectId])),
        ),
        query: z.strictObject({ ...route.query }),
        data: dataSchema(route.answer),
        operate: (request) => operation(request, deps),
      };
      return [`${route.method} ${route.path}`, endpoint];
    }),
  );
}

/** Who calls, as the authorizer wrote it; undefined for a caller without a valid credential. */
function callerOf(event: APIGatewayProxyEvent): Identity | undefined {
  const result = z.safeParse(identity, event.requestContext.authorizer);
  return result.success ? result.data : undefined;
}

/** Header names arrive as the client spelt them. */
const lowerCased = (headers: APIGatewayProxyEvent['headers'] | null): Record<string, string> =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value ?? '']));

const bodyBytes = (event: APIGatewayProxyEvent): Uint8Array<ArrayBuffer> =>
  Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');

const bodyText = (event: APIGatewayProxyEvent): string =>
  event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString('utf8') : (event.body ?? '');

/** @throws ApiError `validation_error` for a missing, malformed or unexpected body. */
async function parseBody(
  route: Route,
  event: APIGatewayProxyEvent,
  contentType: string | undefined,
): Promise<unknown> {
  if (route.form !== undefined) {
    if (isMediaType(contentType, multipartForm)) {
      return parseInput(route.form, await parseForm(bodyBytes(event), contentType ?? ''));
    }
    if (!isMediaType(contentType, 'application/json')) {
      throw otherMediaType('application/json', multipartForm);
    }
  }
  const text = bodyText(event);
  if (route.body !== undefined) return parseInput(route.body, parseJson({ text, contentType }));
  if (route.method !== 'GET' && text.trim() !== '' && text.trim() !== '{}') {
    throw invalid({ path: '', message: 'This endpoint does not accept a body.' });
  }
  return undefined;
}

/** What a request is counted against (OpenAPI, "Rate limits"). */
function rateSubject(
  rateClass: RateClass,
  caller: Identity | undefined,
  event: APIGatewayProxyEvent,
): string {
  if (rateClass === 'download') return caller?.organizationId ?? '';
  if (rateClass === 'write') return caller?.credentialId ?? '';
  // Per client and address, so that a stranger who knows a clientId cannot lock its owner out.
  return `${clientIdIn(bodyText(event))}#${event.requestContext.identity.sourceIp}`;
}

const tokenRequest = z.object({ clientId: z.string().check(z.maxLength(100)) });

/** The clientId of a token request that is not yet validated; a malformed one is counted under its address alone. */
function clientIdIn(text: string): string {
  try {
    const result = z.safeParse(tokenRequest, JSON.parse(text));
    return result.success ? result.data.clientId : '';
  } catch (error) {
    if (error instanceof SyntaxError) return '';
    throw error;
  }
}

function rateHeaders(rate: RateState, at: Date): Record<string, string> {
  return {
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-reset': String(rate.reset),
    ...(rate.admitted
      ? {}
      : { 'retry-after': String(Math.max(1, rate.reset - Math.floor(at.getTime() / 1000))) }),
  };
}

/** How the caller is told of a failure: what passes by itself, here as at AWS, may be tried again. */
function toApiError(error: unknown): ApiError {
  const refusal = refusalOf(error);
  if (refusal !== undefined) return refusal;
  if (isTransactionConflict(error)) return new ApiError('transient_transaction_error', { cause: error });
  return new ApiError(isTransient(error) ? 'service_unavailable' : 'internal_server_error', { cause: error });
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
