import { createServer } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { type Connections, openConnections } from '../../../../functions/webhook-delivery/connections.ts';
import { holdTimeLimits, listening, receiver } from '../../../support/exchange.ts';
import { until } from '../../../support/until.ts';

const timeLimitMs = 15_000;
const open = (): Connections => openConnections({ rules: { loopback: true }, timeLimitMs });

const post = ({ exchange }: Connections, port: number) =>
  exchange({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' });

afterEach(() => jest.useRealTimers());

test('one connection is kept for the exchanges of a draining, and closed with it', async () => {
  // It closes no connection itself, as Node's servers do after some seconds.
  const patient = createServer({ keepAliveTimeout: 0 }, (_, response) => response.end('ok'));
  const { port, connections, sockets } = await listening(patient);
  const draining = open();
  for (let time = 0; time < 3; time += 1) {
    expect(await post(draining, port)).toMatchObject({ statusCode: 200, responseBody: 'ok' });
  }
  expect(connections()).toBe(1);
  draining.close();
  await until(() => Array.from(sockets).every(({ destroyed }) => destroyed));
});

test('a kept connection that the receiver has closed is replaced', async () => {
  const first = new Set<Socket>();
  const { port, connections } = await receiver((request, response) => {
    // The receiver gives up the connection in the moment in which the second request arrives on it.
    if (first.has(request.socket)) request.socket.destroy();
    else response.end('ok');
    first.add(request.socket);
  });
  const draining = open();
  for (let time = 0; time < 2; time += 1) {
    expect(await post(draining, port)).toMatchObject({ statusCode: 200, error: null });
  }
  expect(connections()).toBe(2);
  draining.close();
});

test('a request that times out on a kept connection is not sent again', async () => {
  let requests = 0;
  holdTimeLimits();
  const { port, sockets } = await receiver((_, response) => {
    requests += 1;
    if (requests === 2) jest.advanceTimersByTime(timeLimitMs);
    else response.end('ok');
  });
  const draining = open();
  await post(draining, port);
  expect(await post(draining, port)).toMatchObject({ statusCode: null, error: 'timeout' });
  // A third exchange comes after whatever the second might still send once its connection is closed.
  await until(() => Array.from(sockets).every(({ destroyed }) => destroyed));
  expect(await post(draining, port)).toMatchObject({ statusCode: 200 });
  expect(requests).toBe(3);
  draining.close();
});

test('a request whose answer breaks off on a kept connection is not sent again', async () => {
  let requests = 0;
  const { port, sockets } = await receiver((request, response) => {
    requests += 1;
    if (requests === 1) return void response.end('ok');
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('half', () => request.socket.resetAndDestroy());
  });
  const draining = open();
  await post(draining, port);
  expect((await post(draining, port)).error).toBe('connection reset');
  await until(() => Array.from(sockets).every(({ destroyed }) => destroyed));
  await post(draining, port);
  expect(requests).toBe(3);
  draining.close();
});

test('a request whose answer on a kept connection is no HTTP is not sent again', async () => {
  let requests = 0;
  const { port, connections } = await listening(
    createTcpServer((socket) =>
      socket.on('data', () => {
        requests += 1;
        socket.write(
          requests === 1 ? 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok' : 'SSH-2.0-server\r\n',
        );
      }),
    ),
  );
  const draining = open();
  await post(draining, port);
  expect(await post(draining, port)).toMatchObject({ statusCode: null, error: 'invalid answer' });
  expect([requests, connections()]).toEqual([2, 1]);
  draining.close();
});
