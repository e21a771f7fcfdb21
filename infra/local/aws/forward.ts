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

/** Idle connections are given up before the engine closes them, so that no call meets one that is just closing. */
const agent = new Agent({ keepAlive: true, timeout: 20_000 });

/** Hands a call to the engine that listens on a port of this machine. */
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
 * Hands a call to the engine that listens on a port of this machine, and its answer back as it comes, but for headers
 * that others replace.
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

/** An engine's answer, read to its end. */
export interface EngineAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Asks an engine as `forward` does, for an answer that is looked at before it goes on. */
export async function ask(request: AwsRequest, port: number): Promise<EngineAnswer> {
  const answer = await call(request, port);
  return { status: answer.statusCode ?? 502, headers: answer.headers, body: await buffer(answer) };
}

/** Sends on what an engine answered. */
export function pass({ status, headers, body }: EngineAnswer, response: ServerResponse): void {
  const { connection: _, 'transfer-encoding': __, ...rest } = headers;
  response.writeHead(status, { ...rest, 'content-length': body.length });
  response.end(body);
}
