import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Identity, OrganizationCategory, Route } from '#platform/contract/route.ts';
import type { Pipeline } from '#platform/request/pipeline.ts';

/** What a test says of a request; everything else is as the gateway would send it. */
export interface EventOptions {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string | string[]>;
  /** A list is of a header that is sent more than once. */
  readonly headers?: Record<string, string | string[]>;
  readonly body?: unknown;
  readonly rawBody?: string;
  /** Sent as the gateway sends binary bodies: encoded. */
  readonly binaryBody?: Buffer;
  readonly identity?: Identity;
  readonly requestId?: string;
  readonly sourceIp?: string;
}

export const requestUuid = '3f6c1c52-6f3c-4c53-9d59-0a7a2b0a3b0e';

/** A proxy event of API Gateway's REST API for one route. */
export function apiEvent(
  route: Pick<Route, 'method' | 'path'>,
  options: EventOptions = {},
): APIGatewayProxyEvent {
  const body =
    options.rawBody ??
    options.binaryBody?.toString('base64') ??
    (options.body === undefined ? null : JSON.stringify(options.body));
  const path = route.path.replace(/\{([A-Za-z]+)\}/g, (_, name: string) => options.params?.[name] ?? '');
  const query = Object.fromEntries(
    Object.entries(options.query ?? {}).map(([key, value]) => [key, [value].flat()]),
  );
  const headers = { ...(body === null ? {} : { 'Content-Type': 'application/json' }), ...options.headers };
  const multiValueHeaders = Object.entries(headers).map(([name, value]) => [name, [value].flat()] as const);
  const event = {
    resource: route.path,
    path,
    httpMethod: route.method,
    headers: Object.fromEntries(multiValueHeaders.map(([name, values]) => [name, values.at(-1)])),
    multiValueHeaders: Object.fromEntries(multiValueHeaders),
    queryStringParameters: null,
    multiValueQueryStringParameters: Object.keys(query).length === 0 ? null : query,
    pathParameters: options.params ?? null,
    stageVariables: null,
    body,
    isBase64Encoded: options.binaryBody !== undefined,
    requestContext: {
      path,
      domainName: 'api.example.com',
      requestId: options.requestId ?? requestUuid,
      authorizer: options.identity ?? {},
      identity: { sourceIp: options.sourceIp ?? '203.0.113.9' },
    },
  };
  // The event's type names many members of the gateway's that no code of ours reads.
  return event as unknown as APIGatewayProxyEvent;
}

/** The part of Lambda's context that is read: how long the invocation may still run. */
export const lambdaContext = {
  getRemainingTimeInMillis: () => 29_000,
  awsRequestId: requestUuid,
  functionVersion: '7',
} as Context;

/** The caller of most tests. */
export const carrier: Identity = {
  organizationId: '65f0c1d2e3a4b5c6d7e8f900',
  category: 'upstreamEntity',
  credentialId: 'client_test',
};

/** A caller with a new credential: each has a write limit of its own. */
export const callerOf = (
  organizationId: string,
  category: OrganizationCategory = 'upstreamEntity',
): Identity => ({ organizationId, category, credentialId: randomUUID() });

/** What a pipeline answers, and the usual members of its body. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its body, and the parts in which it was streamed. */
  readonly text: string;
  readonly parts: readonly string[];
  readonly json: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly errorType: unknown;
}

/** Sends a request through a group's pipeline, and reads the answer to its end. */
export async function send(pipeline: Pipeline, ...request: Parameters<typeof apiEvent>): Promise<Answer> {
  const { status, headers, body, close } = await pipeline(apiEvent(...request), lambdaContext);
  const parts: string[] = [];
  try {
    for await (const part of typeof body === 'string' ? [body] : body) parts.push(part);
  } finally {
    await close?.();
  }
  const text = parts.join('');
  const json = JSON.parse(text) as { readonly data?: Record<string, unknown>; readonly errorType?: unknown };
  return { status, headers, text, parts, json, data: json.data ?? {}, errorType: json.errorType };
}
