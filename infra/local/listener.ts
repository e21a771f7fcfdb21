import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A problem of this machine that the developer has to fix; printed as one sentence, without a stack trace. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
}

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A request's body; undefined if it is longer than the limit, whose rest is discarded so that a response arrives. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = Number(request.headers['content-length'] ?? 0);
  if (length <= limit) {
    length = 0;
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) break;
      chunks.push(chunk);
    }
  }
  if (length <= limit) return Buffer.concat(chunks);
  request.resume();
  return undefined;
}

/** An HTTP server on loopback that listens before its handler is set; until then it returns 503. */
export type Listener = Awaited<ReturnType<typeof openListener>>;

/** Node's own limit, which answers without a body: above API Gateway's, so that the gateway can answer as it does. */
const maxHeaderSize = 256 * 1_024;

/** Longer than clients keep connections: closing them first would occasionally break a request. */
const keepAliveMs = 65_000;

const adviceByCode: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: stop the process that listens on it, or choose another port',
  EACCES: 'requires more privileges: choose one above 1023',
};

/** @throws MachineError when the port is taken; 0 takes a free one. */
export async function openListener(port: number) {
  let handler: HttpHandler | undefined;
  const server = createServer({ maxHeaderSize }, (request, response) => {
    if (handler === undefined) response.writeHead(503).end();
    else void handler(request, response);
  });
  server.keepAliveTimeout = keepAliveMs;
  // Node.js' server would leave a client unanswered that closes its half of the connection after its request, as `nc -N` does.
  Object.assign(server, { httpAllowHalfOpen: true });
  const actualPort = await new Promise<number>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const advice = error.code === undefined ? undefined : adviceByCode[error.code];
      reject(advice === undefined ? error : new MachineError(`Port ${port} ${advice} with PORT.`));
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
  return {
    port: actualPort,
    address: `http://127.0.0.1:${actualPort}`,
    serve: (newHandler: HttpHandler): void => {
      handler = newHandler;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
