import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a receiver received. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A response: a status, optionally with headers; `hang` sends none. */
export type Reply = number | { readonly status: number; readonly headers: Record<string, string> } | 'hang';

/** Starts a receiver on this machine. @param reply the response to each request. */
export async function startReceiver(reply: (path: string, got: ReceivedRequest) => Reply | Promise<Reply>) {
  const got: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    const one = { path, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
    got.push(one);
    const given = await reply(path, one);
    if (given === 'hang') return;
    if (typeof given === 'number') response.writeHead(given).end(`answered ${given}`);
    else response.writeHead(given.status, given.headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    got,
    url: (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
