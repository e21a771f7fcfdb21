import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { isTransactionConflict, isTransient } from '../aws/calls.ts';
import type { FunctionContext } from '../config/context.ts';
import { ApiError, transactionConflict } from '../contract/errors.ts';
import {
  accessRefusal,
  hasCsv,
  type Identity,
  identity,
  type Route,
  type RouteGroup,
  type RouteTable,
  rateOf,
  routeClass,
  takesIdempotencyKey,
} from '../contract/route.ts';
import { toError } from '../log/log.ts';
import { parseBody } from './body.ts';
import { type Endpoint, endpointsOf, faultsOf, type Operations, type ServedDocument } from './endpoint.ts';
import type { ParseForm } from './form.ts';
import {
  baseUrlOf,
  errorHeaders,
  headersOf,
  idempotencyKey,
  routeHeaders,
  successHeaders,
} from './headers.ts';
import type { Idempotency } from './idempotency.ts';
import {
  fullest,
  type OpenLists,
  type RateLimiter,
  type RateState,
  rateHeaders,
  rateSubjects,
} from './rate-limit.ts';
import { refusalOf } from './refusal.ts';
import {
  type ApiResponse,
  baseHeaders,
  checkedBodies,
  csvType,
  envelopeText,
  errorText,
  prefersCsv,
  type Stamp,
} from './response.ts';
import { parseInput, singleValues, unknownParameters } from './validation.ts';

/** `rateOf` a row. */
type RateOf<R extends Route> = R extends { readonly rate: infer Rate }
  ? Rate
  : R extends { readonly method: 'GET' }
    ? 'none'
    : 'write';

/** A group with limited routes needs a rate limiter, one with writes idempotency, and one with forms a parser for them. */
export type ServicesOf<Table extends RouteTable> = (RateOf<Table[keyof Table]> extends 'none'
  ? object
  : { readonly rateLimiter: RateLimiter }) &
  (Exclude<RateOf<Table[keyof Table]>, 'token'> extends 'none' | 'download'
    ? object
    : { readonly idempotency: Idempotency }) &
  (Extract<Table[keyof Table], { readonly form: unknown }> extends never
    ? object
    : { readonly parseForm: ParseForm });

/** Serves one request; it never rejects. A streamed body may still fail while it is read. */
export type Pipeline = (event: APIGatewayProxyEvent, context: Context) => Promise<ApiResponse>;

/** Request as the stages of the pipeline share it. */
interface RequestContext {
  readonly event: APIGatewayProxyEvent;
  readonly lambda: Context;
  readonly receivedAt: Date;
  readonly stamp: Stamp;
  /** Fields of the request's log lines. */
  readonly logFields: Readonly<Record<string, unknown>>;
  /** Headers of the response, whether the request succeeds or not. */
  readonly headers: Record<string, string>;
  /** Work to be done when the response is closed. */
  readonly closings: (() => Promise<unknown>)[];
}

/**
 * Creates the pipeline of a route group: identity, rate limit, validation, idempotency, operation, check of the response.
 * Every failure leaves through one exit: the caller's faults are explained, ours are logged.
 */
export function createPipeline<Table extends RouteTable>(
  options: FunctionContext &
    ServicesOf<Table> & {
      readonly group: RouteGroup<Table>;
      readonly operations: Operations<Table>;
      /** Open lists of a group with lists. */
      readonly openLists?: OpenLists | undefined;
    },
): Pipeline {
  const { logger, now, environment } = options;
  // The compiler has checked that there is what the table needs; from here on the table can be any table.
  const services = options as {
    readonly logger: FunctionContext['logger'];
    readonly rateLimiter?: RateLimiter;
    readonly idempotency?: Idempotency;
    readonly parseForm?: ParseForm;
    readonly openLists?: OpenLists;
  };
  const endpoints = endpointsOf(options.group.routes, options.operations);
  const { checkAnswer, bodyOf } = checkedBodies(options);

  /** Takes a place among the open lists of the caller's organization, until the response is closed. */
  async function takePlace(caller: Identity | undefined, { receivedAt, stamp, closings }: RequestContext) {
    if (services.openLists === undefined || caller === undefined) return;
    try {
      const giveBack = await services.openLists(caller.organizationId, receivedAt);
      if (giveBack !== undefined) return void closings.push(giveBack);
    } catch (error) {
      return logUncounted(logger, stamp, error);
    }
    throw new ApiError('rate_limit_exceeded', {
      message: 'The organization reads too many lists at once. Retry when one is read.',
      retryAfterSeconds: 5,
    });
  }

  async function answer(endpoint: Endpoint, caller: Identity | undefined, context: RequestContext) {
    const { event, stamp, receivedAt } = context;
    const { route } = endpoint;
    const headers = headersOf(event);

    const rate = await limit(route, caller, context, services);
    if (rate !== undefined) Object.assign(context.headers, rateHeaders(rate, receivedAt));
    if (rate?.isAdmitted === false) throw new ApiError('rate_limit_exceeded');

    const { status } = route.answer;
    const { params, query } = endpoint.schemas();
    const request = {
      params: parseInput(params, event.pathParameters ?? {}) as Readonly<Record<string, string>>,
      query: parseInput(query, singleValues(event.multiValueQueryStringParameters), unknownParameters),
      body: await parseBody(route, event, headers, services.parseForm),
      identity: caller,
      requestId: stamp.requestId,
      now: receivedAt,
      headers,
      baseUrl: () => baseUrlOf(event, headers),
    };

    const place = () => takePlace(caller, context);
    if (route.isLong) await place();
    const key = takesIdempotencyKey(route) ? idempotencyKey(headers) : undefined;
    if (key === undefined) {
      const outcome = await endpoint.operate({ ...request, recordResponse: () => [] });
      if ('document' in route.answer) {
        const { headers: documentHeaders, ...document } = outcome as ServedDocument;
        Object.assign(context.headers, { 'content-type': route.answer.document }, documentHeaders);
        return { status, ...document };
      }
      const csv = hasCsv(route) && prefersCsv(headers['accept']);
      const body = await bodyOf(endpoint, outcome, { query: request.query, csv, takePlace: place }, stamp);
      Object.assign(
        context.headers,
        successHeaders(route, receivedAt),
        csv ? { 'content-type': csvType } : {},
      );
      return { status, body };
    }
    // Not the path as it was sent: a slash at its end and the case of an id make no other resource.
    const resource = [route.method, route.path, ...Object.values(request.params)];
    const scope = [caller?.organizationId ?? '', caller?.credentialId ?? '', ...resource];
    const response = await requiredService(services.idempotency).once<unknown>(
      { key, scope, body: [request.query, request.body] },
      context.lambda,
      {
        operate: async (recordResponse) => endpoint.operate({ ...request, recordResponse }),
        respond: (data) => ({
          status,
          body: envelopeText(status, checkAnswer(endpoint, data, stamp), stamp),
        }),
      },
    );
    if (response.isReplayed) context.headers['idempotency-replayed'] = 'true';
    return { status: response.status, body: response.body };
  }

  return async (event, context) => {
    const receivedAt = now();
    const requestId = `${environment}-${event.requestContext.requestId}`;
    const stamp = { requestId, timestamp: receivedAt.toISOString() };
    const headers = baseHeaders(requestId);
    const endpoint = endpoints.get(`${event.httpMethod} ${event.resource}`);
    const caller = callerOf(event);
    const closings: RequestContext['closings'] = [];
    // A place that is not given back is over by itself.
    const close = async () => void (await Promise.allSettled(closings.map((closing) => closing())));
    const logFields = {
      requestId,
      method: event.httpMethod,
      route: event.resource,
      operationId: endpoint?.operationId,
      routeClass: endpoint && routeClass(endpoint.route),
      organizationId: caller?.organizationId,
      credentialId: caller?.credentialId,
      version: context.functionVersion,
    };
    try {
      if (endpoint === undefined) {
        throw new ApiError('not_found', { message: 'No endpoint has this method and path.' });
      }
      Object.assign(headers, routeHeaders(endpoint.route, event));
      if (endpoint.route.access !== 'public' && caller === undefined) throw refusedAccess(event);
      const requestContext = { event, lambda: context, receivedAt, stamp, headers, logFields, closings };
      const response = await answer(endpoint, caller, requestContext);
      return { ...response, headers, logFields, close };
    } catch (error) {
      const apiError = toApiError(error);
      if (apiError.status >= 500) {
        logger.error('A request failed.', { event: 'request_failed', ...logFields, error: toError(error) });
      }
      Object.assign(headers, errorHeaders(apiError, endpoint?.route));
      return {
        status: apiError.status,
        headers,
        body: errorText(apiError, stamp, endpoint?.route.standard),
        logFields: { ...logFields, errorType: apiError.errorType, ...faultsOf(apiError, endpoint) },
        close,
      };
    }
  };
}

/** Counts the request; undefined when it is not limited. */
async function limit(
  route: Route,
  caller: Identity | undefined,
  { event, receivedAt, stamp }: RequestContext,
  { rateLimiter, logger }: Pick<FunctionContext, 'logger'> & { readonly rateLimiter?: RateLimiter },
): Promise<RateState | undefined> {
  if (rateOf(route) === 'none') return undefined;
  const limiter = requiredService(rateLimiter);
  const takes = rateSubjects(route, caller, event).map(([rateClass, subject]) =>
    limiter.take(rateClass, subject, receivedAt.getTime()),
  );
  try {
    return fullest(await Promise.all(takes));
  } catch (error) {
    return logUncounted(logger, stamp, error);
  }
}

/** Counting protects the service; when the counters are down, refusing everyone would do the harm it prevents. */
function logUncounted(logger: FunctionContext['logger'], { requestId }: Stamp, error: unknown): undefined {
  logger.error('The rate counters are unreachable; the request is not counted.', {
    event: 'rate_counters_unreachable',
    requestId,
    error: toError(error),
  });
}

/** Service that the types promise: a group has those that its routes need. */
function requiredService<Service>(service: Service | undefined): Service {
  if (service === undefined) throw new Error('A service is missing.');
  return service;
}

/** The caller, as the authorizer passed it on; undefined for one that may not make the request. */
const callerOf = ({ requestContext }: APIGatewayProxyEvent): Identity | undefined =>
  z.safeParse(identity, requestContext.authorizer).data;

/** The error of a caller without an identity: the refusal that the authorizer passed on, or else a 401. */
function refusedAccess(event: APIGatewayProxyEvent): ApiError {
  const refusal = z.safeParse(accessRefusal, event.requestContext.authorizer);
  if (!refusal.success) return new ApiError('unauthorized');
  const { errorType, expected, actual } = refusal.data;
  return new ApiError(errorType, { details: { expected, actual } });
}

/** The error that the caller sees: a failure that passes by itself is one that clients may retry. */
function toApiError(error: unknown): ApiError {
  const refusal = refusalOf(error);
  if (refusal !== undefined) return refusal;
  if (isTransactionConflict(error)) return transactionConflict(error);
  return new ApiError(isTransient(error) ? 'service_unavailable' : 'internal_server_error', { cause: error });
}
