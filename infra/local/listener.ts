import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { MachineError } from './machine-error.ts';

export type HttpHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** An HTTP server on loopback that listens before its handler is set; until then it returns 503. */
export interface Listener {
  readonly address: string;
  serve(handler: HttpHandler): void;
  close(): Promise<void>;
}

/** Longer than clients keep connections: closing them first would occasionally break a request. */
const keepAliveMs = 65_000;

/** @throws MachineError when the port is taken; 0 takes a free one. */
export async function openListener(port: number): Promise<Listener> {
  let handler: HttpHandler | undefined;
  const server = createServer((request, response) => {
    if (handler === undefined) response.writeHead(503).end();
    else void handler(request, response);
  });
  server.keepAliveTimeout = keepAliveMs;
  const actualPort = await new Promise<number>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        reject(
          new MachineError(
            `Port ${port} is in use: stop the process that listens on it, or choose another port with PORT.`,
          ),
        );
      } else if (error.code === 'EACCES') {
        reject(new MachineError(`Port ${port} requires more privileges: choose one above 1023 with PORT.`));
      } else reject(error);
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
  return {
    address: `http://127.0.0.1:${actualPort}`,
    serve: (given) => {
      handler = given;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
