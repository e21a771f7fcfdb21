// Calls of AWS, as the local endpoint gets and answers them, and how the local run makes them.
import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod/mini';
import { region } from '../template/template.ts';
import type { AccessRequest } from './policy-evaluation.ts';

/** A caller's access to the local AWS endpoint. */
export interface Access {
  readonly endpoint: string;
  readonly accessKeyId: string;
}

/** The secret of every access key: it protects nothing, but presigned URLs are verified with it. */
export const secretAccessKey = 'local';

/** Settings of an SDK client that calls the local endpoint. Callers decide themselves whether to retry. */
export const clientSettings = ({ endpoint, accessKeyId }: Access) => ({
  endpoint,
  region,
  maxAttempts: 1,
  credentials: { accessKeyId, secretAccessKey },
});

/** A header in the form of a signature. Local services read the access key in it and do not verify it. */
export const authorizationOf = (accessKeyId: string, service: string): string =>
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20200101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`;

/**
 * Calls an operation of AWS JSON in its wire format, for callers that pass on what the SDK would convert: stream records
 * as Lambda delivers them, and requests of functions that are repeated.
 *
 * @param answer schema of what is read from the response
 * @throws Error when the service returns an error
 */
export async function callAws<Schema extends z.core.$ZodType>(
  access: Access,
  operation: { readonly service: string; readonly target: string },
  input: object,
  answer: Schema,
): Promise<z.output<Schema>> {
  const { service, target } = operation;
  const response = await fetch(access.endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
      authorization: authorizationOf(access.accessKeyId, service),
    },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${service} ${target.split('.').at(-1)} failed: ${text}`);
  return z.parse(answer, text.length === 0 ? {} : JSON.parse(text));
}

// Credentials of roles are temporary: their session token says until when they count.

/** Nobody documents how long those of Lambda last; twelve hours have been seen (https://github.com/boto/boto3/issues/2392). */
export const sessionMs = 12 * 60 * 60 * 1_000;

const prefix = 'LOCAL';

/** The token of a session that ends then, in milliseconds. */
export const sessionToken = (endsAt: number): string => `${prefix}${endsAt}`;

/** Whether a session is over; of one that was not begun here, never. */
export const isOver = (token: string, now: number): boolean =>
  token.startsWith(prefix) && Number(token.slice(prefix.length)) <= now;

/** A call of an AWS service with its body. */
export interface AwsRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A service behind the local endpoint. */
export interface AwsService {
  /** Accesses that the call needs, one for each action and resource. */
  accesses(request: AwsRequest): readonly AccessRequest[] | Promise<readonly AccessRequest[]>;
  /** Responds to a call that was allowed. */
  answer(request: AwsRequest, response: ServerResponse): Promise<void>;
  /** Responds with an error in the service's format, if that is not AWS JSON. */
  refuse?(error: AwsError, response: ServerResponse): void;
}

/** An error that the SDK turns into an exception with the name of its code. */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;
  /** More members of the error, for services with AWS JSON. */
  readonly details: object;

  constructor(code: string, message: string, status = 400, details: object = {}) {
    super(message);
    this.name = 'AwsError';
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

export const unsupportedCall = (callName: string): AwsError =>
  new AwsError('UnknownOperationException', `The local run does not support ${callName}.`);

/** The error format of the services with AWS JSON, and of Lambda. */
export function refuseAsJson(error: AwsError, response: ServerResponse): void {
  response.writeHead(error.status, {
    'content-type': 'application/x-amz-json-1.1',
    'x-amzn-errortype': error.code,
  });
  const { code, message, details } = error;
  response.end(JSON.stringify({ __type: code, message, Message: message, ...details }));
}

export function answerJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(JSON.stringify(body));
}

/** The operation in the target header of an AWS JSON call: `Query` of `DynamoDB_20120810.Query`. */
export function targetOf(request: AwsRequest): { readonly service: string; readonly operation: string } {
  const target = request.headers['x-amz-target'];
  const [service = '', operation = ''] = typeof target === 'string' ? target.split('.') : [];
  return { service, operation };
}

/** The call's JSON body, parsed with a schema of the members that this endpoint reads. */
export function bodyOf<Schema extends z.core.$ZodType>(
  request: AwsRequest,
  schema: Schema,
): z.output<Schema> {
  let body: unknown;
  try {
    body = request.body.length === 0 ? {} : JSON.parse(request.body.toString('utf8'));
  } catch {
    throw new AwsError('SerializationException', 'The body is not JSON.');
  }
  const result = z.safeParse(schema, body);
  if (result.success) return result.data;
  throw new AwsError('ValidationException', z.prettifyError(result.error));
}

/** Operations of a service with AWS JSON by their names, each on one of its resources. */
export type ResourceOperations<Item> = Readonly<
  Record<string, (item: Item, request: AwsRequest) => object | Promise<object>>
>;

/** A service each of whose calls names one resource and must be allowed on it. */
export const resourceService = <Item extends { readonly arn: string }>(
  prefix: string,
  operations: ResourceOperations<Item>,
  find: (request: AwsRequest) => Item,
  /** Members of every answer. */
  membersOf: (item: Item) => object,
): AwsService => ({
  accesses(request) {
    const { operation } = targetOf(request);
    if (!Object.hasOwn(operations, operation)) throw unsupportedCall(`${prefix}:${operation}`);
    return [{ action: `${prefix}:${operation}`, resource: find(request).arn }];
  },
  async answer(request, response) {
    const item = find(request);
    const result = await operations[targetOf(request).operation]?.(item, request);
    answerJson(response, { ...membersOf(item), ...result });
  },
});

/** Idle connections are closed before the engine closes them, so that no call uses one that is closing. */
const agent = new Agent({ keepAlive: true, timeout: 20_000 });

/**
 * Forwards a call to the engine on a local port and streams the response back.
 *
 * @param replacing response headers that replace those of the engine
 */
export async function forward(
  request: AwsRequest,
  response: ServerResponse,
  port: number,
  replacing: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { method, url, body } = request;
  const outgoingHeaders: OutgoingHttpHeaders = { ...request.headers, 'content-length': body.length };
  delete outgoingHeaders['transfer-encoding'];
  delete outgoingHeaders.connection;
  const path = url.pathname + url.search;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port, agent, method, path, headers: outgoingHeaders }, resolve)
      .on('error', reject)
      .end(body);
  });
  const headers = { ...answer.headers, ...replacing };
  delete headers.connection;
  response.writeHead(answer.statusCode ?? 502, headers);
  await pipeline(answer, response);
}
