import { Agent, request as httpRequest, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { AwsRequest } from './aws-service.ts';

/** Idle connections are given up before the engine closes them, so that no call meets one that is just closing. */
const agent = new Agent({ keepAlive: true, timeout: 20_000 });

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
  const headers: OutgoingHttpHeaders = { ...request.headers, 'content-length': request.body.length };
  delete headers['transfer-encoding'];
  delete headers.connection;
  await new Promise<void>((resolve, reject) => {
    const call = httpRequest(
      {
        host: '127.0.0.1',
        port,
        agent,
        method: request.method,
        path: request.url.pathname + request.url.search,
        headers,
      },
      (answer) => {
        const answered = { ...answer.headers, ...replacing };
        delete answered.connection;
        response.writeHead(answer.statusCode ?? 502, answered);
        pipeline(answer, response).then(resolve, reject);
      },
    );
    call.on('error', reject);
    call.end(request.body);
  });
}
