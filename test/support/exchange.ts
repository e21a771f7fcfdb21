import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import {
  type ExchangeOptions,
  type ExchangeResult,
  openConnections,
} from '../../functions/webhook-delivery/exchange.ts';

const closing: (() => void)[] = [];

afterEach(closeServers);

/** Listens on the loopback interface until the test is over, and counts connections. */
export async function listening(server: Server, port = 0) {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections, sockets };
}

/** A receiver of webhooks over HTTP. */
export const receiver = (listener: RequestListener) => listening(createServer(listener));

/** Time limits run out only when a test lets them (`jest.advanceTimersByTime`); everything else goes on. */
export const holdTimeLimits = () =>
  jest.useFakeTimers({
    doNotFake: [
      ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
      ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
    ],
  });

/** One exchange with a receiver; loopback addresses are allowed unless `options` say otherwise. */
export const post = (url: string, options: Partial<ExchangeOptions> = {}): Promise<ExchangeResult> => {
  const { exchange, close } = openConnections({ rules: { loopback: true }, ...options });
  const headers = { 'Content-Type': 'application/json', 'X-Service-Timestamp': '1' };
  return exchange({ url, headers, body: '{"a":"é"}' }).finally(close);
};

/** Closes every server of the test now, as happens after it. */
export function closeServers(): void {
  for (const close of closing.splice(0)) close();
}
