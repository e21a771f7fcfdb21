import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { AwsRequest } from './service.ts';

/** Idle connections are closed before the engine closes them, so that no call uses one that is closing. */
const agent = new Agent({ keepAlive: true, timeout: 20_000 });

/** Sends a call to the engine on a local port. */
function call(request: AwsRequest, port: number): Promise<IncomingMessage> {
  const headers: OutgoingHttpHeaders = { ...request.headers, 'content-length': request.body.length };
  delete headers['transfer-encoding'];
  delete headers.connection;
  const path = request.url.pathname + request.url.search;
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { host: '127.0.0.1', port, agent, method: request.method, path, headers },
      resolve,
    );
    outgoing.on('error', reject);
    outgoing.end(request.body);
  });
}

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
  const answer = await call(request, port);
  const headers = { ...answer.headers, ...replacing };
  delete headers.connection;
  response.writeHead(answer.statusCode ?? 502, headers);
  await pipeline(answer, response);
}

/** A complete response of an engine. */
export interface EngineAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Calls an engine like `forward`, for a response that is inspected before it is sent. */
export async function ask(request: AwsRequest, port: number): Promise<EngineAnswer> {
  const answer = await call(request, port);
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await buffer(answer) };
}

/** Sends the response of an engine. */
export function pass({ status, headers, body }: EngineAnswer, response: ServerResponse): void {
  const { connection: _, 'transfer-encoding': __, ...rest } = headers;
  response.writeHead(status, { ...rest, 'content-length': body.length });
  response.end(body);
}
