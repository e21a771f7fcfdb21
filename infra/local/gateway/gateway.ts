// Folder `gateway`: what API Gateway does with a request, from routing to the streamed response.

import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { gatewayHeaderBytes, gatewayRequestBytes, invocationBytes } from '#platform/aws/limits.ts';
import type { LocalFunction } from '../functions/local-function.ts';
import { type HttpHandler, readBody } from '../listener.ts';
import { accountId, type Deployment, propertiesOf, region } from '../template/template.ts';
import { type ApiIdentity, authorize, invokePermissions, refuseUninvokable } from './authorizer.ts';
import {
  createRouter,
  type GatewayDefinition,
  MalformedPathError,
  readGatewayDefinition,
} from './definition.ts';
import { type GatewayFault, readHead, renderFault } from './responses.ts';

/** Sets a request's source address in tests; API Gateway does not trust any header for it. */
const sourceAddressHeader = 'x-local-source-ip';

/** Headers that API Gateway sets itself and never accepts from the caller. */
const forwardedHeaders: ReadonlySet<string> = new Set(['x-forwarded-port', 'x-forwarded-proto']);

/** The form of `$context.requestTime`: `09/Apr/2026:12:34:56 +0000`. */
const requestTime = (time: Date): string =>
  time.toUTCString().replace(/^\w+, (\d+) (\w+) (\d+) (.+) GMT$/, '$1/$2/$3:$4 +0000');

/** The event of a Lambda proxy integration (payload version 1.0), as far as functions read it, before routing. */
function eventOf(request: IncomingMessage) {
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
  const query = groupValues(new URLSearchParams(search.join('?')));
  return {
    path,
    httpMethod: request.method ?? 'GET',
    headers: lastValues(multiValueHeaders),
    multiValueHeaders,
    multiValueQueryStringParameters: Object.keys(query).length === 0 ? null : query,
    requestContext: {
      requestId: randomUUID(),
      requestTime: requestTime(new Date()),
      path,
      domainName: '127.0.0.1',
      identity: { sourceIp },
    },
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

/** A fault that the gateway responds to itself, with the authorizer's context for the response template. */
class GatewayFaultError extends Error {
  readonly fault: GatewayFault;
  readonly context: Readonly<Record<string, string>>;

  constructor(fault: GatewayFault, context: Readonly<Record<string, string>> = {}) {
    super(fault);
    this.fault = fault;
    this.context = context;
  }
}

function isBinary(contentType: string | undefined, binaryMediaTypes: readonly string[]): boolean {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return binaryMediaTypes.some((binary) => binary === '*/*' || binary.toLowerCase() === type);
}

export interface GatewayOptions {
  readonly definition: GatewayDefinition;
  readonly api: ApiIdentity;
  readonly functionByArn: (functionArn: string) => LocalFunction;
  /** Factor of API Gateway's time limits. */
  readonly timeoutFactor?: number;
  /** Receives failures behind the gateway, of which the caller sees no details. */
  readonly onFault: (message: string) => void;
}

/** Handles requests as API Gateway does for the REST API of the template. */
export function createGateway(options: GatewayOptions): HttpHandler {
  const { definition, api, functionByArn, timeoutFactor = 1 } = options;
  const route = createRouter(definition.resources);

  return async (incoming, response) => {
    if (headBytes(incoming) > gatewayHeaderBytes) {
      refusePlainly(response, 431, `HTTP header is larger than ${gatewayHeaderBytes} bytes.`);
      return;
    }
    const request = eventOf(incoming);
    const { path, httpMethod, requestContext } = request;
    let resource = '';
    try {
      const match = route(httpMethod, path);
      resource = match?.resource.path ?? '';
      if (match?.method === undefined) throw new GatewayFaultError('MISSING_AUTHENTICATION_TOKEN');
      const { method, pathParameters } = match;
      const body = await readBody(incoming, gatewayRequestBytes);
      if (body === undefined) {
        refusePlainly(response, 413, `HTTP content length exceeded ${gatewayRequestBytes} bytes.`);
        return;
      }
      const event = { ...request, resource, pathParameters: pathParameters ?? null };

      let authorizer: Readonly<Record<string, string>> | undefined;
      if (method.authorizerArn !== undefined) {
        const methodArn = `arn:aws:execute-api:${region}:${accountId}:${api.apiId}/${api.stage}/${httpMethod}${path}`;
        const authorization = await authorize(functionByArn(method.authorizerArn), event, methodArn);
        if (!authorization.isAllowed) {
          const values = Object.entries(authorization.context);
          const variables = Object.fromEntries(values.map(([name, value]) => [`authorizer.${name}`, value]));
          throw new GatewayFaultError(authorization.fault, variables);
        }
        authorizer = authorization.context;
      }

      const binary = isBinary(incoming.headers['content-type'], definition.binaryMediaTypes);
      const payload = {
        ...event,
        requestContext: { ...requestContext, ...(authorizer === undefined ? {} : { authorizer }) },
        body: body.length === 0 ? null : body.toString(binary ? 'base64' : 'utf8'),
        isBase64Encoded: binary && body.length > 0,
      };
      if (Buffer.byteLength(JSON.stringify(payload)) > invocationBytes) {
        throw new GatewayFaultError('REQUEST_TOO_LARGE');
      }
      const stream = functionByArn(method.functionArn).stream(payload);
      await answerWith(stream, method.timeoutMs * timeoutFactor, response, requestContext.requestId);
    } catch (error) {
      if (response.destroyed) return;
      if (response.headersSent) {
        // Not a normal end, so that the client sees that the response is incomplete.
        response.destroy();
        options.onFault(`${httpMethod} ${resource}: the response was aborted: ${String(error)}`);
        return;
      }
      const { fault, context } = faultOf(error);
      const answer = renderFault(fault, definition.responses, {
        requestId: requestContext.requestId,
        requestTime: requestContext.requestTime,
        ...context,
      });
      if (answer.status >= 500) options.onFault(`${httpMethod} ${resource}: ${fault}: ${String(error)}`);
      response.writeHead(answer.status, { ...answer.headers, 'x-amzn-requestid': requestContext.requestId });
      response.end(answer.body);
    }
  };
}

/** Bytes of the request line and the headers. */
const headBytes = ({ method = '', url = '', rawHeaders }: IncomingMessage): number =>
  Buffer.byteLength(method + url + rawHeaders.join(''));

/** Answers as API Gateway does before it looks at the API: the text is fixed, and no gateway response replaces it. */
function refusePlainly(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}

function faultOf(error: unknown): GatewayFaultError {
  if (error instanceof GatewayFaultError) return error;
  if (error instanceof MalformedPathError) return new GatewayFaultError('BAD_REQUEST');
  return new GatewayFaultError('INTEGRATION_FAILURE');
}

/** Streams a function's response to the client within the integration timeout. */
async function answerWith(
  stream: Readable,
  timeoutMs: number,
  response: ServerResponse,
  requestId: string,
): Promise<void> {
  // Errors are handled where the stream is read; later ones have no handler.
  stream.on('error', () => {});
  response.once('close', () => stream.destroy());
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    stream.destroy(new GatewayFaultError('INTEGRATION_TIMEOUT'));
  }, timeoutMs);
  try {
    const head = await readHead(stream);
    response.writeHead(head.status, { ...head.headers, 'x-amzn-requestid': requestId });
    // Even if the function fails right away, its headers were sent.
    response.flushHeaders();
    await pipeline(stream, response);
  } catch (error) {
    stream.destroy();
    throw timedOut ? new GatewayFaultError('INTEGRATION_TIMEOUT') : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Supported settings of a method, which concern logging; others are refused because they may change responses. */
const methodSetting = z.strictObject({
  HttpMethod: z.string(),
  ResourcePath: z.string(),
  LoggingLevel: z.optional(z.unknown()),
  DataTraceEnabled: z.optional(z.unknown()),
  MetricsEnabled: z.optional(z.unknown()),
});

/** Supported properties of a stage. */
const stageProperties = z.strictObject({
  StageName: z.string(),
  MethodSettings: z.optional(z.array(methodSetting)),
  // References to its API, and logging.
  RestApiId: z.unknown(),
  DeploymentId: z.unknown(),
  AccessLogSetting: z.optional(z.unknown()),
  TracingEnabled: z.optional(z.unknown()),
  Tags: z.optional(z.unknown()),
});

/** The one REST API of the deployment. */
export function readApi(deployment: Deployment): Pick<GatewayOptions, 'definition' | 'api'> {
  const [api, ...moreApis] = deployment.ofType('AWS::ApiGateway::RestApi');
  const [stage, ...moreStages] = deployment.ofType('AWS::ApiGateway::Stage');
  if (api === undefined || stage === undefined || moreApis.length + moreStages.length > 0) {
    throw new Error('The local run serves exactly one REST API with one stage.');
  }
  const { StageName } = propertiesOf(stage, stageProperties);
  const identity = { apiId: api.ref, stage: StageName };
  const definition = readGatewayDefinition(api.properties()['Body']);
  refuseUninvokable(definition, identity, invokePermissions(deployment));
  return { definition, api: identity };
}
