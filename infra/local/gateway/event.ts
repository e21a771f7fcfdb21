import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { accountId } from '../template/template.ts';
import type { ResponseContext } from './responses.ts';

/** Sets a request's source address in tests; API Gateway does not trust any header for it. */
const sourceAddressHeader = 'x-local-source-ip';

/** Headers that API Gateway sets itself and never accepts from the caller. */
const forwardedHeaders: ReadonlySet<string> = new Set(['x-forwarded-port', 'x-forwarded-proto']);

/** A request as API Gateway reads it, before routing. */
type GatewayRequest = ReturnType<typeof readRequest>;

export interface ApiIdentity {
  readonly apiId: string;
  readonly stage: string;
}

/** The form of `$context.requestTime`: `09/Apr/2026:12:34:56 +0000`. */
const requestTime = (time: Date): string =>
  time.toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (.+) GMT$/, '$1/$2/$3:$4 +0000');

export function readRequest(request: IncomingMessage) {
  const [path = '/', ...search] = (request.url ?? '/').replace(/^\/+/, '/').split('?');
  const headers: [string, string][] = [];
  let sourceIp = request.socket.remoteAddress ?? '';
  const raw = request.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    if (name.toLowerCase() === sourceAddressHeader) sourceIp = value;
    else if (!forwardedHeaders.has(name.toLowerCase())) headers.push([name, value]);
  }
  const multiValueHeaders = {
    ...groupValues(headers),
    'X-Forwarded-For': [sourceIp],
    'X-Forwarded-Port': [String(request.socket.localPort)],
    'X-Forwarded-Proto': ['http'],
  };
  return {
    requestId: randomUUID(),
    method: request.method ?? 'GET',
    path,
    headers: lastValues(multiValueHeaders),
    multiValueHeaders,
    query: groupValues(new URLSearchParams(search.join('?'))),
    sourceIp,
    receivedAt: new Date(),
  };
}

/** Values by name, collected in a map because callers choose the names, and `constructor` may be one. */
function groupValues(pairs: Iterable<readonly [string, string]>): Record<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(values);
}

const lastValues = (values: Readonly<Record<string, string[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.at(-1) ?? '']));

const orNull = <Value extends object>(value: Value): Value | null =>
  Object.keys(value).length === 0 ? null : value;

/** The variables of a request that events and templates of gateway responses share. */
const contextOf = (request: GatewayRequest, api: ApiIdentity, resource: string) => ({
  accountId,
  ...api,
  extendedRequestId: request.requestId,
  httpMethod: request.method,
  path: request.path,
  requestId: request.requestId,
  requestTime: requestTime(request.receivedAt),
  resourcePath: resource,
});

/** The event of a Lambda proxy integration (payload version 1.0), without the body. */
export function proxyEvent(
  request: GatewayRequest,
  api: ApiIdentity,
  resource: string,
  pathParameters: Readonly<Record<string, string>> | undefined,
): Record<string, unknown> & { readonly requestContext: Record<string, unknown> } {
  return {
    resource,
    path: request.path,
    httpMethod: request.method,
    headers: request.headers,
    multiValueHeaders: request.multiValueHeaders,
    queryStringParameters: orNull(lastValues(request.query)),
    multiValueQueryStringParameters: orNull(request.query),
    pathParameters: pathParameters ?? null,
    stageVariables: null,
    requestContext: {
      ...contextOf(request, api, resource),
      domainName: '127.0.0.1',
      domainPrefix: '127',
      identity: { sourceIp: request.sourceIp, userAgent: request.headers['User-Agent'] ?? null },
      protocol: 'HTTP/1.1',
      requestTimeEpoch: request.receivedAt.getTime(),
      resourceId: resource,
    },
  };
}

/** Variables of a request that templates of gateway responses can use. */
export const responseContext = (
  request: GatewayRequest,
  api: ApiIdentity,
  resource: string,
): ResponseContext => ({
  ...contextOf(request, api, resource),
  requestTimeEpoch: String(request.receivedAt.getTime()),
  'identity.sourceIp': request.sourceIp,
  'identity.userAgent': request.headers['User-Agent'] ?? '-',
});
