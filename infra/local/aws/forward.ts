import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { AwsRequest } from './service.ts';

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
  const sent: OutgoingHttpHeaders = { ...request.headers, 'content-length': body.length };
  delete sent['transfer-encoding'];
  delete sent.connection;
  const path = url.pathname + url.search;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port, agent, method, path, headers: sent }, resolve)
      .on('error', reject)
      .end(body);
  });
  const headers = { ...answer.headers, ...replacing };
  delete headers.connection;
  response.writeHead(answer.statusCode ?? 502, headers);
  await pipeline(answer, response);
}
